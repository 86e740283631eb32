import { type ComponentType, type ReactNode, useEffect } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { ErrorLine } from './error-line.tsx'
import { useOnDemand } from './use-on-demand.ts'

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

/** Around each part of the page: one that breaks takes no other down. */
export function PanelBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary FallbackComponent={StoppedPanel}>{children}</ErrorBoundary>
}

function StoppedPanel({ resetErrorBoundary }: FallbackProps) {
  return (
    <PanelFailure onRetry={() => resetErrorBoundary()}>
      This part of the page has stopped.
    </PanelFailure>
  )
}

interface PanelFailureProps {
  /** What happened, in a sentence. */
  children: string
  onRetry: () => void
}

/** Stands where a panel would. */
function PanelFailure({ children, onRetry }: PanelFailureProps) {
  return (
    <div className="grid min-h-40 place-items-center rounded-control border border-dashed border-line-strong p-6">
      <ErrorLine onRetry={onRetry}>{children}</ErrorLine>
    </div>
  )
}
