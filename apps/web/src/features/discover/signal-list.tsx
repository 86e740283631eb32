import { listSignals } from '@astropelago/contract/island-directory'
import type { AnswerBody } from '@astropelago/contract/route'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import CalendarClock from 'virtual:icon/calendar-clock'
import RadioTower from 'virtual:icon/radio-tower'
import { listedIslandsEveryMs } from '../../islands/directory-query.ts'
import { StateMark } from '../../islands/island-marks.tsx'
import { IslandPicture } from '../../islands/island-picture.tsx'
import { islandState } from '../../islands/island-words.ts'
import { call } from '../../lib/call.ts'
import { LinkButton } from '../../lib/link-button.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { LocalTime } from '../../ui/local-time.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Upcoming events first, soonest first, then the newest signals. */
export function SignalList() {
  const query = useInfiniteQuery({
    queryKey: [...queryKeys.listedIslands, 'signals'],
    queryFn: ({ pageParam, signal }) =>
      call(listSignals, { query: pageParam === '' ? {} : { after: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    refetchInterval: listedIslandsEveryMs,
  })
  const signals = signalsOf(query.data?.pages ?? [])
  const nowMs = query.dataUpdatedAt
  const isToCome = ({ entry }: IslandSignal) =>
    entry.eventAt !== null && Date.parse(entry.eventAt) > nowMs
  return (
    <LoadedList
      of={t`The signals`}
      query={query}
      isEmpty={signals.length === 0}
      skeleton={
        <div className="flex flex-col gap-4">
          <Skeleton className="h-24 w-full rounded-card" />
          <Skeleton className="h-24 w-full rounded-card" />
          <Skeleton className="h-24 w-full rounded-card" />
        </div>
      }
      empty={
        <EmptyState icon={<RadioTower aria-hidden />} title={t`No signals yet`}>
          <p>
            <Trans>
              Hosts send signals from the page of their island: a game night, a film, news. Here you
              see the signals of islands that everybody can find and enter.
            </Trans>
          </p>
          <LinkButton to={paths.discoverCategory('islands')} variant="outline" size="sm">
            <Trans>See the islands</Trans>
          </LinkButton>
        </EmptyState>
      }
    >
      <div className="flex flex-col gap-10">
        <SignalSection title={t`To come`} signals={signals.filter(isToCome)} />
        <SignalSection title={t`Lately`} signals={signals.filter((signal) => !isToCome(signal))} />
      </div>
    </LoadedList>
  )
}

/** Drops duplicates: a signal sent between two requests can push another one onto both pages. */
function signalsOf(pages: readonly { readonly signals: readonly IslandSignal[] }[]) {
  const all = pages.flatMap(({ signals }) => signals)
  return [...new Map(all.map((signal) => [signal.entry.id, signal])).values()]
}

function SignalSection({ title, signals }: { title: string; signals: readonly IslandSignal[] }) {
  const titleId = useId()
  if (signals.length === 0) return null
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-4">
      <h3 id={titleId} className="text-base font-semibold">
        {title}
      </h3>
      <ul className="flex flex-col gap-px overflow-hidden rounded-card border border-line bg-line">
        {signals.map((signal) => (
          <SignalItem key={signal.entry.id} signal={signal} />
        ))}
      </ul>
    </section>
  )
}

function SignalItem({ signal: { island, entry } }: { signal: IslandSignal }) {
  const { slug, kind, picture, name } = island
  return (
    <li className="relative flex gap-4 bg-panel p-5 transition-colors hover:bg-raised">
      <IslandPicture picture={picture} kind={kind} className="h-14 w-20 shrink-0 max-sm:hidden" />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Link
            to={paths.island(slug)}
            dir="auto"
            className="min-w-0 font-medium wrap-anywhere text-ink no-underline outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {name}
          </Link>
          <StateMark state={islandState(island)} />
        </div>
        {entry.eventAt !== null && (
          <p className="inline-flex items-center gap-2 text-sm text-ink">
            <CalendarClock aria-hidden className="size-4 shrink-0 text-accent" strokeWidth={1.75} />
            <LocalTime at={entry.eventAt} form="appointment" />
          </p>
        )}
        <p dir="auto" className="max-w-3xl text-sm whitespace-pre-line wrap-anywhere text-muted">
          {entry.text}
        </p>
        <p className="text-xs text-muted">
          <Trans>
            Sent <LocalTime at={entry.at} />
          </Trans>
        </p>
      </div>
    </li>
  )
}

type IslandSignal = AnswerBody<typeof listSignals>['signals'][number]
