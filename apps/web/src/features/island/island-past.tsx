import { readIslandHistory, readIslandUptime } from '@astropelago/contract/island-history'
import type { IslandView } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../lib/call.ts'
import { LinkButton } from '../../lib/link-button.tsx'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { DayBars } from '../../ui/day-bars.tsx'
import { islandWords } from '../../ui/history-days.ts'
import { HoursLine } from '../../ui/hours-line.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { UptimeFigures } from '../../ui/uptime-figures.tsx'

/** A change is recorded within a second, and can be read within another five. */
const recordedMs = 6500

/** Unwatched islands have no history, except for their host. */
export function IslandPast({ island }: { island: IslandView }) {
  const { id, slug, name, isOpen, since, isWatched, role } = island
  const query = useQuery(islandPastQuery(id))
  const { refetch } = query
  const state = `${isOpen} ${since}`
  const readState = useRef(state)
  useEffect(() => {
    if (readState.current === state) return undefined
    const timer = setTimeout(() => {
      readState.current = state
      void refetch()
    }, recordedMs)
    return () => clearTimeout(timer)
  }, [state, refetch])

  const { windows = [] } = query.data ?? {}
  const days = (query.data?.days ?? []).map(({ day, openS, closedS, unobservedS, flips }) => ({
    day,
    upS: openS,
    downS: closedS,
    unobservedS,
    flips,
  }))
  const spans = (query.data?.spans ?? []).map(({ from, to, status }) => ({
    from,
    to,
    state: states[status],
  }))
  if (days.length === 0 && !isWatched && role !== 'host') return null
  return (
    <Card
      title={t`When it was open`}
      description={t`Days are in UTC. Pauses, and time that this server could not observe, count as neither open nor closed.`}
    >
      <LoadedList
        of={t`When it was open`}
        query={query}
        isEmpty={days.length === 0}
        skeleton={
          <div data-awaited>
            <output className="sr-only">
              <Trans>Loading when it was open…</Trans>
            </output>
            <Skeleton className="h-[26rem] w-full rounded-control" />
          </div>
        }
        empty={
          isWatched ? (
            <p className="text-sm text-muted">
              <Trans>After it opens for the first time, you see here when it was open.</Trans>
            </p>
          ) : (
            <NobodyWatches slug={slug} />
          )
        }
      >
        <UptimeFigures windows={windows} />
        <DayBars of={name} days={days} words={islandWords} />
        <HoursLine spans={spans} words={islandWords} />
      </LoadedList>
    </Card>
  )
}

function NobodyWatches({ slug }: { slug: string }) {
  return (
    <div className="flex flex-col items-start gap-3 text-sm text-muted">
      <p>
        <Trans>
          Nobody watches whether it is open. If you choose a device that it runs on, this page shows
          when it was open.
        </Trans>
      </p>
      <LinkButton to={paths.islandSettings(slug, 'details')} variant="outline" size="sm">
        <Trans>Choose a device</Trans>
      </LinkButton>
    </div>
  )
}

const states = { open: 'up', closed: 'down', unobserved: 'unobserved' } as const

/** Uptime changes every minute, even without an event. */
const agingMs = 60_000

function islandPastQuery(id: string) {
  return queryOptions({
    // Not among what is known of the island, since it refreshes itself.
    queryKey: ['island-past', id],
    queryFn: async ({ signal }) => {
      const [history, uptime] = await Promise.all([
        call(readIslandHistory, { params: { id }, query: {}, signal }),
        call(readIslandUptime, { params: { id }, signal }),
      ])
      return { ...history, windows: uptime.windows }
    },
    refetchInterval: agingMs,
  })
}
