import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface ErrorLineProps {
  children: ReactNode
  query?: { readonly isFetching: boolean; readonly refetch: () => unknown }
  onRetry?: (() => void) | undefined
  busy?: boolean
}

export function ErrorLine({
  children,
  query,
  onRetry = query && (() => void query.refetch()),
  busy = query?.isFetching ?? false,
}: ErrorLineProps) {
  return (
    <output className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
      <span>{children}</span>
      {onRetry && (
        <Button variant="link" size="sm" busy={busy} onClick={onRetry}>
          <Trans>Try again</Trans>
        </Button>
      )}
    </output>
  )
}
