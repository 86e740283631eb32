import { safeLink } from '@astropelago/contract/devices'
import { useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'
import MapIcon from 'virtual:icon/map'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { IslandMention } from '../islands/island-mark.tsx'
import type { NodeSummary } from '../nodes/node-name.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import type { Selection } from '../selection.ts'
import type { PanelGlobe } from './panel-globe.ts'
import { CardAtNode } from './card-at-node.tsx'
import type { Choice, PanelSnapshot } from './panel-state.ts'
import { globeHeightPx, keepFocus } from './globe-overlay.ts'
import { RegionPanel } from './region-panel.tsx'

/** How much of the Earth the map shows when it takes over from the globe. */
const closerSpanDeg = 40

interface GlobeDetailsProps {
  readonly shown: PanelSnapshot
  readonly store: NodeStore
  readonly selection: Selection
  readonly globe: PanelGlobe
}

/** What a press on the globe opens, and the message for browsers that can't draw it. */
export function GlobeDetails({ shown, store, selection, globe }: GlobeDetailsProps) {
  const { drawing, view, canZoomIn, region, choice, card } = shown
  const lookCloser = () => {
    const camera = globe.camera()
    if (camera === undefined) return
    selection.lookCloser({ latDeg: camera.pitchDeg, lonDeg: camera.yawDeg, spanDeg: closerSpanDeg })
  }
  if (drawing === 'impossible') return <GlobeImpossible />
  return (
    <>
      {view === 'earth' && !canZoomIn && <CloserLook onPress={lookCloser} />}
      {card !== undefined && (
        <CardAtNode
          key={`${card.id} ${card.isOpened}`}
          card={card}
          store={store}
          onClose={globe.closeChoice}
          onReturnFocus={globe.focus}
        />
      )}
      {choice !== undefined && (
        <NodeChooser
          key={`${choice.xPx} ${choice.yPx}`}
          choice={choice}
          selection={selection}
          onClose={globe.closeChoice}
          onReturnFocus={globe.focus}
        />
      )}
      {region !== undefined && (
        <RegionPanel
          region={region}
          store={store}
          selection={selection}
          onClose={() => {
            globe.selectRegion(undefined)
            globe.focus()
          }}
        />
      )}
    </>
  )
}

/** Shown if the browser can't draw the globe at all. */
function GlobeImpossible() {
  return (
    <div className="flex h-[460px] flex-col justify-center">
      <EmptyState title="Your browser can’t draw the globe here">
        <p>The list below has the same devices, and everything that can be done with them.</p>
        <a href="#device-list" className={buttonStyles({ variant: 'outline', size: 'sm' })}>
          Go to the list
        </a>
      </EmptyState>
    </div>
  )
}

/** Continues on the map when the globe can't zoom in further. */
function CloserLook({ onPress }: { readonly onPress: () => void }) {
  return (
    <Button variant="outline" size="sm" onClick={onPress} className="absolute top-14 left-3">
      <MapIcon aria-hidden />
      Look closer on the map
    </Button>
  )
}

interface NodeChooserProps {
  readonly choice: Choice
  readonly selection: Selection
  readonly onClose: () => void
  readonly onReturnFocus: () => void
}

/** The chooser's largest size, in CSS pixels. It has to fit into the globe's frame. */
const widthPx = 288
const heightPx = 248
const marginPx = 8
/** Places the chooser next to the nodes it lists, not on top of them. */
const asidePx = 16

/** Asks which of several nodes was meant. Closes with Escape or when it loses the focus. */
export function NodeChooser({ choice, selection, onClose, onReturnFocus }: NodeChooserProps) {
  const box = useRef<HTMLDialogElement>(null)
  useLayoutEffect(
    () => (box.current === null ? undefined : keepFocus(box.current, onClose, onReturnFocus)),
    [onClose, onReturnFocus],
  )
  const select = ({ id }: NodeSummary) => {
    selection.select(id)
    onClose()
  }
  const { sight } = choice
  const more = choice.total - choice.nodes.length
  const left = `clamp(${marginPx}px, ${Math.round(choice.xPx + asidePx)}px, calc(100% - ${widthPx + marginPx}px))`
  const top = Math.min(Math.round(choice.yPx), globeHeightPx - heightPx - marginPx)
  return (
    <dialog
      ref={box}
      open
      aria-label={`${choice.total} devices here`}
      className="absolute right-auto z-10 m-0 flex p-0 max-h-[248px] w-[288px] max-w-[calc(100%-16px)] animate-appear flex-col overflow-hidden rounded-control border border-line-strong bg-panel shadow-raised"
      style={{ left, top }}
    >
      <p className="border-b border-line px-3 py-2 text-xs text-muted">
        <span data-numeric>{choice.total.toLocaleString('en')}</span> devices here
      </p>
      <ul className="min-h-0 overflow-y-auto p-1">
        {choice.nodes.map((node) => (
          <li key={node.id}>
            <NodeChoice node={node} onSelect={select} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="border-t border-line px-3 py-2 text-xs text-muted">
          and {more.toLocaleString('en')} more: the list below has all of them
        </p>
      )}
      {sight !== undefined && (
        <Button
          variant="ghost"
          size="sm"
          className="shrink-0 rounded-none border-t border-line"
          onClick={() => {
            onClose()
            selection.lookCloser(sight)
          }}
        >
          <MapIcon aria-hidden />
          Look closer on the map
        </Button>
      )}
    </dialog>
  )
}

const rowLook =
  'flex w-full items-center gap-3 rounded-mark px-2 py-1.5 text-left text-sm text-ink hover:bg-hover focus-visible:-outline-offset-2'

interface NodeChoiceProps {
  readonly node: NodeSummary
  readonly onSelect: (node: NodeSummary) => void
}

function NodeChoice({ node, onSelect }: NodeChoiceProps) {
  const { island } = node
  const href = node.link === '' ? undefined : safeLink(node.link)
  const content = (
    <>
      <span className="flex min-w-0 flex-1 flex-col">
        <span dir="auto" className="truncate">
          {node.name}
        </span>
        {island !== undefined && (
          <span className="text-xs text-muted">
            <IslandMention island={island} />
          </span>
        )}
        {island === undefined && href !== undefined && (
          <span dir="ltr" className="truncate text-xs text-accent">
            {new URL(href).host}
          </span>
        )}
      </span>
      <StatusBadge status={node.status} />
    </>
  )
  // In the same tab and with the same target as a click on the node itself.
  if (island !== undefined) {
    return (
      <Link to={paths.island(island.slug)} className={rowLook}>
        {content}
      </Link>
    )
  }
  if (href !== undefined) {
    return (
      <a href={href} rel="noreferrer" className={rowLook}>
        {content}
      </a>
    )
  }
  return (
    <button type="button" onClick={() => onSelect(node)} className={rowLook}>
      {content}
    </button>
  )
}
