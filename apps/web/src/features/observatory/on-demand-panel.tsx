import { type ComponentType, type ReactNode, useEffect } from 'react'
import { useOnDemand } from '../../ui/use-on-demand.ts'
import { PanelBoundary } from './panel-boundary.tsx'
import { PanelFailure } from './panel-failure.tsx'

interface OnDemandPanelProps<P extends object> {
  /** What failed, as a person calls it: 'The globe'. */
  what: string
  fetchPanel: () => Promise<ComponentType<P>>
  panelProps: P
  /** Whether something else is waited for while the code comes. */
  isHeld?: boolean
  /** Stands there meanwhile, as tall as the panel. */
  skeleton: ReactNode
}

/** A part of the page whose code comes by itself; where it fails, the others stand. */
export function OnDemandPanel<P extends object>(props: OnDemandPanelProps<P>) {
  const { what, fetchPanel, panelProps, isHeld = false, skeleton } = props
  const [panel, load] = useOnDemand(fetchPanel)
  useEffect(() => {
    void load()
  }, [load])

  if (panel.step === 'failed') {
    return <PanelFailure onRetry={() => void load()}>{`${what} could not be loaded.`}</PanelFailure>
  }
  if (panel.step !== 'ready' || isHeld) return skeleton
  return (
    <PanelBoundary>
      <panel.Component {...panelProps} />
    </PanelBoundary>
  )
}
