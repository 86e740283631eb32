import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { ErrorLine } from './error-line.tsx'
import { useOnDemand } from './use-on-demand.ts'

interface OnDemandPanelProps<P extends object> {
  what: string
  fetchPanel: () => Promise<ComponentType<P>>
  panelProps: P
  skeleton: ReactNode
}

/** If its code fails to load, the other parts of the page still work. */
export function OnDemandPanel<P extends object>(props: OnDemandPanelProps<P>) {
  const { what, fetchPanel, panelProps, skeleton } = props
  const [panel, load] = useOnDemand(fetchPanel)
  useEffect(() => {
    void load()
  }, [load])

  if (panel.step === 'failed') {
    return (
      <PanelFailure onRetry={() => void load()}>{t`${what} could not be loaded.`}</PanelFailure>
    )
  }
  if (panel.step !== 'ready') return skeleton
  return (
    <PanelBoundary>
      <panel.Component {...panelProps} />
    </PanelBoundary>
  )
}

/** An error in one part of the page does not affect the others. */
export function PanelBoundary({ children }: { children: ReactNode }) {
  return <ErrorBoundary FallbackComponent={StoppedPanel}>{children}</ErrorBoundary>
}

function StoppedPanel({ resetErrorBoundary }: FallbackProps) {
  return (
    <PanelFailure onRetry={() => resetErrorBoundary()}>
      <Trans>This part of the page has stopped.</Trans>
    </PanelFailure>
  )
}

function PanelFailure({ children, onRetry }: { children: ReactNode; onRetry: () => void }) {
  return (
    <div className="grid min-h-40 place-items-center rounded-control border border-dashed border-line-strong p-6">
      <ErrorLine onRetry={onRetry}>{children}</ErrorLine>
    </div>
  )
}

/** How close below the viewport a panel starts to load. */
const marginPx = 240

/** Loads when its place is near the viewport. */
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
