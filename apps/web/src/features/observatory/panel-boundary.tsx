import type { ReactNode } from 'react'
import { ErrorBoundary, type FallbackProps } from 'react-error-boundary'
import { PanelFailure } from './panel-failure.tsx'

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
