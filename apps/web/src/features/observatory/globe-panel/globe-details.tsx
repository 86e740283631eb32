import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import MapIcon from 'virtual:icon/map'
import { buttonStyles } from '../../../ui/button-styles.ts'
import { Button } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { ScreenPoint } from '../globe/projection.ts'
import { devicesHere, summaryOf } from '../nodes/node-name.ts'
import {
  NodeDetails,
  NodeList,
  NodePopover,
  PointedCard,
  type PopoverPlace,
} from '../nodes/node-popover.tsx'
import { type NodeStore, useNodeVersion } from '../nodes/node-store.ts'
import type { Selection } from '../selection.ts'
import type { PanelGlobe } from './panel-globe.ts'
import type { Choice, PanelSnapshot, ShownCard } from './panel-state.ts'
import { RegionPanel } from './region-panel.tsx'

const closerSpanDeg = 40

interface GlobeDetailsProps {
  readonly shown: PanelSnapshot
  readonly store: NodeStore
  readonly selection: Selection
  readonly globe: PanelGlobe
}

export function GlobeDetails({ shown, store, selection, globe }: GlobeDetailsProps) {
  const { drawing, view, canZoomIn, region, choice, card } = shown
  const openMapAt = () => {
    const camera = globe.camera()
    if (camera === undefined) return
    selection.openMapAt({ latDeg: camera.pitchDeg, lonDeg: camera.yawDeg, spanDeg: closerSpanDeg })
  }
  if (drawing === 'impossible') return <GlobeImpossible />
  return (
    <>
      {view === 'earth' && !canZoomIn && (
        <Button variant="outline" size="sm" onClick={openMapAt} className="absolute top-14 start-3">
          <MapIcon aria-hidden />
          <Trans>Look closer on the map</Trans>
        </Button>
      )}
      {card !== undefined && (
        <NodeAtCard key={`${card.id} ${card.isOpened}`} {...{ card, store, globe }} />
      )}
      {choice !== undefined && (
        <NodeChooser key={`${choice.xPx} ${choice.yPx}`} {...{ choice, selection, globe }} />
      )}
      {region !== undefined && (
        <RegionPanel
          region={region}
          store={store}
          selection={selection}
          onClose={() => {
            globe.selectRegion()
            globe.focus()
          }}
        />
      )}
    </>
  )
}

function GlobeImpossible() {
  return (
    <div className="flex h-[460px] flex-col justify-center">
      <EmptyState title={t`Your browser can’t draw the globe here`}>
        <p>
          <Trans>
            The list below has the same devices, and everything that can be done with them.
          </Trans>
        </p>
        <a href="#device-list" className={buttonStyles({ variant: 'outline', size: 'sm' })}>
          <Trans>Go to the list</Trans>
        </a>
      </EmptyState>
    </div>
  )
}

function placeOn(globe: PanelGlobe, at: ScreenPoint): PopoverPlace {
  return { read: () => ({ at, frame: globe.frame() }) }
}

interface NodeAtCardProps {
  readonly card: ShownCard
  readonly store: NodeStore
  readonly globe: PanelGlobe
}

function NodeAtCard({ card, store, globe }: NodeAtCardProps) {
  // Renders again on every change, because statuses change in place.
  useNodeVersion(store)
  const node = summaryOf(store.columns, card.id)
  if (node === undefined) return null
  const place = placeOn(globe, card)
  if (!card.isOpened) return <PointedCard node={node} place={place} />
  return (
    <NodePopover
      title={node.name}
      place={place}
      closesWhenLeft
      onClose={globe.closeChoice}
      onReturnFocus={globe.focus}
    >
      <NodeDetails node={node} />
    </NodePopover>
  )
}

interface NodeChooserProps {
  readonly choice: Choice
  readonly selection: Selection
  readonly globe: PanelGlobe
}

function NodeChooser({ choice, selection, globe }: NodeChooserProps) {
  const { nodes, total, own, sight } = choice
  return (
    <NodePopover
      title={devicesHere(own, total - own)}
      place={placeOn(globe, choice)}
      closesWhenLeft
      onClose={globe.closeChoice}
      onReturnFocus={globe.focus}
    >
      <NodeList
        nodes={nodes}
        total={total}
        isLeading
        onChoose={(id) => {
          selection.select(id)
          globe.closeChoice()
        }}
      />
      {sight !== undefined && (
        <Button
          variant="ghost"
          size="sm"
          className="shrink-0 rounded-none border-t border-line"
          onClick={() => {
            globe.closeChoice()
            selection.openMapAt(sight)
          }}
        >
          <MapIcon aria-hidden />
          <Trans>Look closer on the map</Trans>
        </Button>
      )}
    </NodePopover>
  )
}
