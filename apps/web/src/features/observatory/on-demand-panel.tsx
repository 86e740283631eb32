import { type ComponentType, type ReactNode, useEffect } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { useOnDemand } from '../../ui/use-on-demand.ts'
import { PanelFailure } from './panel-failure.tsx'

interface OnDemandPanelProps<P extends object> {
  /** What failed, as a person calls it: 'The globe'. */
  what: string
  fetchPanel: () => Promise<ComponentType<P>>
  panelProps: P
  /** Stands there meanwhile, as tall as the panel. */
  skeleton: ReactNode
}

/** A part of the page whose code comes by itself; where it fails, the others stand. */
export function OnDemandPanel<P extends object>(props: OnDemandPanelProps<P>) {
  const { what, fetchPanel, panelProps, skeleton } = props
  const [panel, load] = useOnDemand(fetchPanel)
  useEffect(() => {
    void load()
  }, [load])

  if (panel.step === 'failed') {
    return <PanelFailure onRetry={() => void load()}>{`${what} could not be loaded.`}</PanelFailure>
  }
  if (panel.step !== 'ready') return skeleton
  return (
    <ErrorBoundary FallbackComponent={StoppedPanel}>
      <panel.Component {...panelProps} />
    </ErrorBoundary>
  )
}

function StoppedPanel({ resetErrorBoundary }: FallbackProps) {
  return (
    <PanelFailure onRetry={() => resetErrorBoundary()}>
      This part of the page has stopped.
    </PanelFailure>
  )
}
