import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { Button } from '../ui/button.tsx'
import { ErrorLine } from '../ui/error-line.tsx'
import { openSignIn } from './open-sign-in.ts'
import { isSignedOut } from './query-state.ts'

const names = {
  keys: t`Your API keys`,
  alerts: t`Your alerts`,
  channels: t`Your channels`,
  checks: t`Your checks`,
  data: t`Your data`,
  devices: t`Your devices`,
  email: t`Your e-mail address`,
  holdings: t`What islands hold of you`,
  invitations: t`Your invitations`,
  islands: t`Your islands`,
  looks: t`What it looked at`,
  blocked: t`Your list of blocked Navigators`,
  maintenance: t`Your maintenance`,
  members: t`Your members`,
  pages: t`Your pages`,
  requests: t`Your requests`,
  rules: t`Your rules`,
  sessions: t`Your sessions`,
  statusPage: t`Your status page`,
  tokens: t`Your tokens`,
} as const

interface ListFailureProps {
  query: Pick<
    UseQueryResult,
    'error' | 'errorUpdateCount' | 'isSuccess' | 'isFetching' | 'data' | 'refetch'
  >
  of: keyof typeof names
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
  const what = names[of]
  const text =
    query.data === undefined
      ? t`${what} could not be loaded.`
      : t`${what} could not be updated, so this list may be out of date.`
  return <ErrorLine query={query}>{text}</ErrorLine>
}
