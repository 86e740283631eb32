import { publicDevicesListed } from '@astropelago/contract/limits'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '../../../language/format.ts'
import { FeedMark } from '../../../lib/live-feed/feed-mark.tsx'
import { paths } from '../../../paths.ts'
import { ErrorLine } from '../../../ui/error-line.tsx'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { type NodeSource, useSourceState } from '../nodes/node-source.ts'
import { useNodeCounts, type WritableNodeStore } from '../nodes/node-store.ts'
import { createChangeSummary } from './change-summary.ts'

interface ObservatoryStatusProps {
  store: WritableNodeStore
  source: NodeSource
}

export function ObservatoryStatus({ store, source }: ObservatoryStatusProps) {
  const isKnown = useSourceState(source).size !== undefined
  return (
    <section
      aria-label={t`Status of the network`}
      className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3"
    >
      <StatusCounts store={store} isKnown={isKnown} />
      {/* As tall as its text even when empty, so that the content below does not move. */}
      <div className="flex min-h-11 w-full flex-wrap items-baseline gap-x-6 md:min-h-6 md:w-auto">
        <LoadLine source={source} />
        <ChangeLine source={source} />
        <FeedMark />
      </div>
    </section>
  )
}

function StatusCounts({ store, isKnown }: { store: WritableNodeStore; isKnown: boolean }) {
  const { online, offline, other } = useNodeCounts(store)
  const counts = [
    ['online', online],
    ['offline', offline],
    ['unknown', other],
  ] as const
  return (
    // Columns of equal width, so that nothing moves when numbers appear or grow.
    <dl data-numeric className="grid w-full grid-cols-3 sm:w-auto sm:grid-cols-[repeat(3,8rem)]">
      {counts.map(([status, count]) => (
        <div key={status} className="flex flex-col-reverse">
          <dt>
            <StatusBadge status={status} />
          </dt>
          <dd className="font-display text-title font-semibold text-ink">
            {isKnown ? formatNumber(count) : '–'}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The state of the list as a whole: it failed, is empty, or is cut off. */
function LoadLine({ source }: { source: NodeSource }) {
  const { phase, isBusy, size } = useSourceState(source)
  if (phase === 'failed' || phase === 'stale') {
    return (
      <ErrorLine busy={isBusy} onRetry={() => source.retry()}>
        {phase === 'failed'
          ? t`The devices could not be loaded.`
          : t`The devices could not be updated, so this list may be out of date.`}
      </ErrorLine>
    )
  }
  if (size === undefined)
    return (
      <p className="text-sm text-muted">
        <Trans>Loading the devices…</Trans>
      </p>
    )
  if (size.total > size.listed) {
    const listed = formatNumber(publicDevicesListed)
    const total = formatNumber(size.total)
    return (
      <p data-numeric className="text-sm text-muted">
        <Trans>
          These are the {listed} devices last seen, of {total} that are public.
        </Trans>
      </p>
    )
  }
  if (size.total > 0) return null
  return (
    <p className="text-sm text-muted">
      <Trans>
        No public devices yet.{' '}
        <Link to={paths.connect()} className="text-accent underline underline-offset-4">
          Connect yours
        </Link>{' '}
        and it appears here.
      </Trans>
    </p>
  )
}

function ChangeLine({ source }: { source: NodeSource }) {
  const [said, setSaid] = useState({ sentence: '', turn: 0 })
  useEffect(() => {
    const summary = createChangeSummary((sentence) =>
      setSaid(({ turn }) => ({ sentence, turn: turn + 1 })),
    )
    const unsubscribe = source.onChanges((tally) => summary.add(tally))
    return () => {
      unsubscribe()
      summary.stop()
    }
  }, [source])
  return (
    <output aria-live="polite" className="block text-sm text-muted">
      {/* A new element each time, so that a repeated sentence is announced again. */}
      <span key={said.turn} className="motion-safe:animate-appear">
        {said.sentence}
      </span>
    </output>
  )
}
