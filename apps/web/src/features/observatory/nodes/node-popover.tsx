import { LinkButton } from '../../../lib/link-button.tsx'
import { safeLink } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, use, useEffectEvent, useId, useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'
import ChevronLeft from 'virtual:icon/chevron-left'
import Flag from 'virtual:icon/flag'
import MapPin from 'virtual:icon/map-pin'
import X from 'virtual:icon/x'
import { formatNumber } from '../../../language/format.ts'
import { formatCoordinate } from '../../../lib/format-coordinate.ts'
import type { ScreenPoint } from '../../../lib/pointers.ts'
import { elsewhere } from '../../../neighbours/elsewhere.ts'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { Button } from '../../../ui/button.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { IslandMention } from '../islands/island-mark.tsx'
import { NodeFacts } from './node-facts.tsx'
import type { NodeSummary } from './node-name.ts'
import { NodeReportingSource } from './node-reporting.ts'
import type { Size } from '../geometry/boxes.ts'

/** Where a popover stands: beside a point of the globe or the map. */
export interface PopoverPlace {
  readonly read: () => { readonly at: ScreenPoint; readonly frame: Size }
  readonly subscribe?: (listener: () => void) => () => void
}

const marginPx = 8
/** Keeps the popover clear of its mark and the rings around it. */
const gapPx = 20

/** Above or below the point, where there is more room, and inside the frame. */
export function popoverCorner(at: ScreenPoint, box: Size, frame: Size): ScreenPoint {
  const isInUpperHalf = at.yPx < frame.heightPx / 2
  const topPx = isInUpperHalf ? at.yPx + gapPx : at.yPx - gapPx - box.heightPx
  return {
    xPx: within(at.xPx - box.widthPx / 2, frame.widthPx - box.widthPx),
    yPx: within(topPx, frame.heightPx - box.heightPx),
  }
}

function within(px: number, mostPx: number): number {
  return Math.round(Math.max(marginPx, Math.min(mostPx - marginPx, px)))
}

function usePlacedBeside<E extends HTMLElement>({ read, subscribe }: PopoverPlace) {
  const box = useRef<E>(null)
  useLayoutEffect(() => {
    const move = () => {
      if (box.current === null) return
      const { offsetWidth: widthPx, offsetHeight: heightPx } = box.current
      const { at, frame } = read()
      const { xPx, yPx } = popoverCorner(at, { widthPx, heightPx }, frame)
      box.current.style.transform = `translate(${xPx}px, ${yPx}px)`
    }
    move()
    const sizes = new ResizeObserver(move)
    const frame = box.current?.offsetParent
    if (frame) sizes.observe(frame)
    const unsubscribe = subscribe?.(move)
    return () => {
      sizes.disconnect()
      unsubscribe?.()
    }
  })
  return box
}

const boxStyles =
  'absolute top-0 left-0 z-10 max-w-[calc(100%-16px)] animate-appear rounded-control border border-line-strong bg-panel shadow-raised'

/** The card of the node that is pointed at. It announces the details as they load; the name is known. */
export function PointedCard({ node, place }: { node: NodeSummary; place: PopoverPlace }) {
  const box = usePlacedBeside<HTMLDivElement>(place)
  return (
    <div
      ref={box}
      aria-live="polite"
      data-card
      className={`${boxStyles} pointer-events-none flex w-[240px] flex-col gap-2 px-3 py-2.5`}
    >
      <p dir="auto" className="truncate text-sm font-semibold text-ink">
        {node.name}
      </p>
      <NodeFacts node={node} />
    </div>
  )
}

interface NodePopoverProps {
  readonly title: string
  readonly place: PopoverPlace
  /** Focuses the first choice and closes when the focus leaves. Otherwise the popover has the focus. */
  readonly closesWhenLeft?: boolean
  readonly onClose: () => void
  readonly onReturnFocus: () => void
  readonly onBack?: (() => void) | undefined
  readonly children: ReactNode
}

/** A box beside a node or several, on the globe and on the map. */
export function NodePopover(props: NodePopoverProps) {
  const { title, place, closesWhenLeft = false, onClose, onReturnFocus, onBack, children } = props
  const titleId = useId()
  const box = usePlacedBeside<HTMLDialogElement>(place)
  const close = useEffectEvent(onClose)
  const returnFocus = useEffectEvent(onReturnFocus)

  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const first = element.querySelector<HTMLElement>(':scope > header ~ * :is(a, button)')
    const focused = (closesWhenLeft && first) || element
    focused.focus({ preventScroll: true })
    const ended = new AbortController()
    const onFocusOut = ({ relatedTarget }: FocusEvent) => {
      const isInside = relatedTarget instanceof Node && element.contains(relatedTarget)
      if (closesWhenLeft && !isInside) close()
    }
    element.addEventListener('focusout', onFocusOut, { signal: ended.signal })
    return () => {
      ended.abort()
      if (element.contains(document.activeElement)) returnFocus()
    }
  }, [box, closesWhenLeft])

  return (
    <dialog
      ref={box}
      open
      tabIndex={-1}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // The globe would leave to the sky.
        event.preventDefault()
        onClose()
      }}
      className={`${boxStyles} right-auto m-0 flex max-h-[20rem] w-[17rem] flex-col overflow-hidden p-0 text-ink outline-none`}
    >
      <header className="flex items-start gap-1 border-b border-line py-2 ps-3 pe-1.5">
        {onBack !== undefined && (
          <button
            type="button"
            aria-label={t`Back to the devices here`}
            onClick={onBack}
            className={headerButtonStyles}
          >
            <ChevronLeft aria-hidden className="size-4" />
          </button>
        )}
        <h3
          id={titleId}
          dir="auto"
          data-numeric
          className="min-w-0 flex-1 py-1 text-sm font-semibold break-words"
        >
          {title}
        </h3>
        <button
          type="button"
          aria-label={t`Close`}
          onClick={onClose}
          className={headerButtonStyles}
        >
          <X aria-hidden className="size-4" />
        </button>
      </header>
      {children}
    </dialog>
  )
}

const headerButtonStyles =
  'inline-flex size-7 shrink-0 items-center justify-center rounded-mark text-muted transition-colors hover:bg-hover hover:text-ink'

export function NodeDetails({ node, opensTab = false }: { node: NodeSummary; opensTab?: boolean }) {
  const { id, name, latDeg, lonDeg, island, isPrivate, neighbour } = node
  const isNewTab = opensTab || neighbour !== undefined
  const reporting = use(NodeReportingSource)
  const href = safeLink(node.link)
  return (
    <div className="flex min-h-0 flex-col items-start gap-1.5 overflow-y-auto p-3">
      <NodeFacts node={node} />
      <p data-numeric className="flex h-4 items-center gap-2 text-xs text-muted">
        <MapPin aria-hidden className="size-3.5 shrink-0" />
        {formatCoordinate(latDeg)}, {formatCoordinate(lonDeg)}
      </p>
      <div className="mt-1.5 flex w-full flex-wrap items-center gap-2">
        {island && (
          <LinkButton to={island.href} {...(island.isElsewhere && elsewhere)} size="sm">
            <Trans>To the island</Trans>
            {island.isElsewhere && <NewTab />}
          </LinkButton>
        )}
        {href !== undefined && (
          <a
            href={href}
            {...(isNewTab && { target: '_blank' })}
            rel="noopener noreferrer"
            className={buttonStyles({ size: 'sm', variant: island ? 'outline' : 'default' })}
          >
            {neighbour === undefined ? <Trans>Visit</Trans> : <Trans>Its page there</Trans>}
            {isNewTab && <NewTab />}
          </a>
        )}
        {neighbour === undefined && (
          <LinkButton to={paths.device(id)} size="sm" variant="outline">
            <Trans>Its page</Trans>
          </LinkButton>
        )}
        {!isPrivate && neighbour === undefined && reporting?.canReport(id) && (
          <Button
            variant="ghost"
            size="sm"
            onClick={() => reporting.report({ id, name })}
            className="ms-auto"
          >
            <Flag aria-hidden className="text-muted" />
            <Trans>Report</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}

function NewTab() {
  return (
    <span className="sr-only">
      <Trans>(opens in a new tab)</Trans>
    </span>
  )
}

interface NodeListProps {
  readonly nodes: readonly NodeSummary[]
  readonly total: number
  /** Whether a row leads to the node's island or link, like a click on the node itself. */
  readonly isLeading?: boolean
  readonly onChoose: (id: string) => void
}

export function NodeList({ nodes, total, isLeading = false, onChoose }: NodeListProps) {
  const more = total - nodes.length
  const count = formatNumber(more)
  return (
    <>
      <ul className="min-h-0 overflow-y-auto p-1">
        {nodes.map((node) => (
          <li key={node.id}>
            {isLeading ? (
              <LinkRow node={node} onChoose={() => onChoose(node.id)} />
            ) : (
              <NodeRow node={node} onChoose={() => onChoose(node.id)} />
            )}
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p data-numeric className="border-t border-line px-3 py-2 text-xs text-muted">
          <Trans>and {count} more: the list below has all of them</Trans>
        </p>
      )}
    </>
  )
}

const rowStyles =
  'flex w-full items-center gap-3 rounded-mark px-2 py-1.5 text-start text-sm text-ink hover:bg-hover focus-visible:-outline-offset-2'

interface RowProps {
  readonly node: NodeSummary
  readonly onChoose: () => void
}

function NodeRow({ node, onChoose }: RowProps) {
  return (
    <button type="button" onClick={onChoose} className={rowStyles}>
      <RowText node={node} />
    </button>
  )
}

/** In the same tab, like a click on the node itself. */
function LinkRow({ node, onChoose }: RowProps) {
  const { island } = node
  const href = safeLink(node.link)
  const to = island?.href ?? href
  if (to === undefined) return <NodeRow node={node} onChoose={onChoose} />
  return (
    <Link to={to} rel="noreferrer" className={rowStyles}>
      <RowText node={node}>
        {island && <IslandMention island={island} />}
        {!island && href !== undefined && (
          <span dir="ltr" className="truncate text-accent">
            {new URL(href).host}
          </span>
        )}
      </RowText>
    </Link>
  )
}

function RowText({ node, children }: { node: NodeSummary; children?: ReactNode }) {
  return (
    <>
      <span className="flex min-w-0 flex-1 flex-col">
        <span dir="auto" className="truncate">
          {node.name}
        </span>
        {children !== undefined && (
          <span className="flex min-w-0 text-xs text-muted">{children}</span>
        )}
      </span>
      <StatusBadge status={node.status} />
    </>
  )
}
