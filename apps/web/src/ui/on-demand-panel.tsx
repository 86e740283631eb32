import {
  type ComponentType,
  type ReactNode,
  useEffect,
  type ComponentProps,
  useRef,
  useState,
} from 'react'
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

/**
 * How close below the viewport a panel starts to load, so that it is there before the visitor scrolls to
 * it.
 */
const marginPx = 240

/** A heavy part of the page. Its code loads when its place is near the viewport. */
export function NearPanel<P extends object>(props: ComponentProps<typeof OnDemandPanel<P>>) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (isNear || place.current === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && setIsNear(true),
      { rootMargin: `${marginPx}px` },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear])
  return <div ref={place}>{isNear ? <OnDemandPanel {...props} /> : props.skeleton}</div>
}
