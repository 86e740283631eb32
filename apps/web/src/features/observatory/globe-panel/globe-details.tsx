import type { Attention } from '../attention.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import { NodeChooser } from './node-chooser.tsx'
import type { PanelGlobe } from './panel-globe.ts'
import type { PanelSnapshot } from './panel-state.ts'
import { RegionPanel } from './region-panel.tsx'

interface GlobeDetailsProps extends Pick<PanelSnapshot, 'region' | 'choice'> {
  readonly store: NodeStore
  readonly attention: Attention
  readonly globe: PanelGlobe
}

/** What a press on the globe opens. */
export function GlobeDetails({ region, choice, store, attention, globe }: GlobeDetailsProps) {
  return (
    <>
      {choice !== undefined && (
        <NodeChooser
          key={`${choice.xPx} ${choice.yPx}`}
          choice={choice}
          attention={attention}
          onClose={globe.closeChoice}
          onReturnFocus={globe.focus}
        />
      )}
      {region !== undefined && (
        <RegionPanel
          region={region}
          store={store}
          attention={attention}
          onClose={() => {
            globe.selectRegion(undefined)
            globe.focus()
          }}
        />
      )}
    </>
  )
}
