import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useFeedState } from './page-feed.ts'

/** A short label while the live feed is down; otherwise nothing. */
export function FeedMark() {
  const state = useFeedState()
  if (state?.phase !== 'polling') return null
  const { error } = state
  return (
    <span
      title={t`${error}: changes are asked for every few seconds until the feed is back`}
      className="self-start rounded-mark border border-line-strong px-1.5 text-xs text-muted"
    >
      <Trans>reconnecting</Trans>
    </span>
  )
}
