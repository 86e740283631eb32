import type { FallbackProps } from 'react-error-boundary'
import RotateCw from 'virtual:icon/rotate-cw'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { Button } from '../../ui/button.tsx'
import { errorMessage } from './error-message.ts'
import { Trouble } from './trouble.tsx'

export function RuntimeError({ error, resetErrorBoundary }: FallbackProps) {
  usePageTitle('Runtime error')
  return (
    <div role="alert">
      <Trouble title="This spark has encountered a runtime error">
        <p className="text-muted">
          Something unexpected happened while running the application. The error details are shown
          below. Contact the spark author and let them know about this issue.
        </p>
        <div className="flex w-full flex-col gap-2 rounded-card border border-line-strong bg-panel p-5">
          <h2 className="text-sm font-medium text-muted">Error Details:</h2>
          <pre className="font-mono text-sm break-words whitespace-pre-wrap text-danger">
            {errorMessage(error)}
          </pre>
        </div>
        <Button onClick={() => resetErrorBoundary()}>
          <RotateCw aria-hidden />
          Try Again
        </Button>
      </Trouble>
    </div>
  )
}
