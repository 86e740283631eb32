import { safeLink } from '@astropelago/contract/devices'
import { useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'
import X from 'virtual:icon/x'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { Button } from '../../../ui/button.tsx'
import { DevicePageLink } from '../nodes/device-page-link.tsx'
import { NodeCard } from '../nodes/node-card.tsx'
import { findNode } from '../nodes/node-columns.ts'
import { ReportButton } from '../nodes/report-button.tsx'
import { type NodeSummary, summarizeNode } from '../nodes/node-name.ts'
import { type NodeStore, useNodeVersion } from '../nodes/node-store.ts'
import { globeHeightPx, keepFocus } from './globe-overlay.ts'
import type { ShownCard } from './panel-state.ts'

interface CardAtNodeProps {
  readonly card: ShownCard
  readonly store: NodeStore
  readonly onClose: () => void
  readonly onReturnFocus: () => void
}

/** In CSS pixels. The height includes the buttons. */
const widthPx = 240
const heightPx = 200
const marginPx = 8
/** Keeps the card clear of the mark and the rings around it. */
const asidePx = 18

/** A node's card next to it, for as long as the node is in the store. */
export function CardAtNode({ card, store, onClose, onReturnFocus }: CardAtNodeProps) {
  // Renders again on every change, so that the card shows the current status.
  useNodeVersion(store)
  const index = findNode(store.columns, card.id)
  if (index === undefined) return null
  const node = summarizeNode(store.columns, index)
  const left = `clamp(${marginPx}px, ${Math.round(card.xPx - widthPx / 2)}px, calc(100% - ${widthPx + marginPx}px))`
  const isBelow = card.yPx + asidePx + heightPx < globeHeightPx
  const style = isBelow
    ? { left, top: Math.round(card.yPx + asidePx) }
    : { left, top: Math.round(card.yPx - asidePx), transform: 'translateY(-100%)' }
  if (card.isOpened) {
    return <OpenedCard node={node} style={style} onClose={onClose} onReturnFocus={onReturnFocus} />
  }
  // The globe has already announced this node to screen readers. This announces the details as they
  // load.
  return (
    <div aria-live="polite" data-card className={`${cardLook} pointer-events-none`} style={style}>
      <NodeCard node={node} />
    </div>
  )
}

const cardLook =
  'absolute z-10 w-[240px] animate-appear rounded-control border border-line-strong bg-panel shadow-raised'

interface OpenedCardProps extends Omit<CardAtNodeProps, 'card' | 'store'> {
  readonly node: NodeSummary
  readonly style: { readonly left: string; readonly top: number }
}

/**
 * The card after a tap. It shows where each link leads before anything is followed. It closes like the
 * chooser.
 */
function OpenedCard({ node, style, onClose, onReturnFocus }: OpenedCardProps) {
  const box = useRef<HTMLDialogElement>(null)
  useLayoutEffect(
    () => (box.current === null ? undefined : keepFocus(box.current, onClose, onReturnFocus)),
    [onClose, onReturnFocus],
  )
  const href = safeLink(node.link)
  return (
    <dialog
      ref={box}
      open
      aria-label={node.name}
      data-card
      className={`${cardLook} right-auto m-0 p-0`}
      style={style}
    >
      <NodeCard node={node} />
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-3 py-2">
        {node.island && (
          <Link to={paths.island(node.island.slug)} className={buttonStyles({ size: 'sm' })}>
            To the island
          </Link>
        )}
        {href !== undefined && (
          // In the same tab, like a click on the node itself.
          <a
            href={href}
            rel="noreferrer"
            className={buttonStyles({ size: 'sm', variant: node.island ? 'outline' : 'default' })}
          >
            Visit
          </a>
        )}
        <DevicePageLink node={node} />
        <Button variant="ghost" size="sm" onClick={onClose}>
          <X aria-hidden />
          Close
        </Button>
        <ReportButton node={node} />
      </div>
    </dialog>
  )
}
