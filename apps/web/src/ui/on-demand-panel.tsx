import { type ComponentType, type ReactNode, useEffect } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { ErrorLine } from './error-line.tsx'
import { useOnDemand } from './use-on-demand.ts'

interface OnDemandPanelProps<P extends object> {
  /** The panel's name as the subject of a sentence: 'The globe'. */
  what: string
  fetchPanel: () => Promise<ComponentType<P>>
  panelProps: P
  /**
   * Whether to keep showing the skeleton after the code has arrived, because something else is still
   * loading.
   */
  isHeld?: boolean
  /** Shown meanwhile, as tall as the panel. */
  skeleton: ReactNode
}

/** A part of the page whose code loads separately. If it fails, the other parts still work. */
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

/** Wraps one part of the page, so that an error in it does not affect the others. */
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
  /** Describes the failure in a sentence. */
  children: string
  onRetry: () => void
}

/** Replaces a failed panel. */
function PanelFailure({ children, onRetry }: PanelFailureProps) {
  return (
    <div className="grid min-h-40 place-items-center rounded-control border border-dashed border-line-strong p-6">
      <ErrorLine onRetry={onRetry}>{children}</ErrorLine>
    </div>
  )
}
