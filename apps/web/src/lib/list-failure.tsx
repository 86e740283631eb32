import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { openSignIn } from './open-sign-in.ts'
import { isSignedOut } from './query-state.ts'

interface ListFailureProps {
  query: Pick<
    UseQueryResult,
    'error' | 'errorUpdateCount' | 'isSuccess' | 'isFetching' | 'data' | 'refetch'
  >
  of: string
}

export function ListFailure({ query, of }: ListFailureProps) {
  if (query.isSuccess || query.errorUpdateCount === 0) return null
  if (isSignedOut(query.error)) {
    return (
      <output className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
        <span>
          <Trans>You are signed out.</Trans>
        </span>
        <Button variant="link" size="sm" onClick={() => openSignIn()}>
          <Trans>Sign in</Trans>
        </Button>
      </output>
    )
  }
  const text =
    query.data === undefined
      ? t`Your ${of} could not be loaded.`
      : t`Your ${of} could not be updated, so this list may be out of date.`
  return <ErrorLine query={query}>{text}</ErrorLine>
}
