import { listLogs } from '@astropelago/contract/all-logs'
import { LogEntryKind } from '@astropelago/contract/island-log'
import type { IslandCard } from '@astropelago/contract/islands'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import * as v from 'valibot'
import Anchor from 'virtual:icon/anchor'
import SearchX from 'virtual:icon/search-x'
import { listedIslandsEveryMs } from '../../islands/directory-query.ts'
import { useLiveListedIslands } from '../../islands/follow-listed-islands.ts'
import { LogLine } from '../../islands/log-entry.tsx'
import { call } from '../../lib/call.ts'
import { LinkButton } from '../../lib/link-button.tsx'
import { useIslandStream, useOwnStream } from '../../lib/live-feed/use-streams.ts'
import { queryKeys } from '../../lib/query-keys.ts'
import { useSession } from '../../lib/session.ts'
import { SignInLink } from '../../lib/sign-in-link.tsx'
import { useAddressParameters } from '../../lib/use-address-parameters.ts'
import { useIsFromBuild } from '../../lib/use-is-from-build.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { DayList } from '../../ui/day-list.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Select } from '../../ui/select.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

export function HarborLogsPage({ islandSearch }: { islandSearch: IslandSearch }) {
  usePageTitle(t`Harbor Logs`)
  const { state } = useSession()
  const [asked, change] = useLogsFilter()
  const filter = { ...asked, isOwn: asked.isOwn && state !== 'signed-out' }
  const query = useLogs(filter, !useIsFromBuild())
  const [first] = query.data?.pages ?? []
  // Placeholder data comes from the previous filter, possibly another island.
  const island = query.isPlaceholderData ? undefined : first?.island
  useLiveListedIslands()
  useOwnStream(state === 'signed-in')
  useIslandStream(island?.id)

  const lines = (query.data?.pages ?? []).flatMap(({ entries }) =>
    entries.map((line) => ({ ...line, at: line.entry.at })),
  )
  return (
    <>
      <PageHeader
        title={t`Harbor Logs`}
        lead={
          <>
            <Trans>
              When islands open and close, what their hosts announce, and what visitors write.
            </Trans>
            {state === 'signed-out' && (
              <>
                {' '}
                <Trans>
                  <SignInLink className="text-accent underline decoration-accent/40 underline-offset-4 hover:decoration-current">
                    Sign in
                  </SignInLink>{' '}
                  to read the logs of islands for members, too.
                </Trans>
              </>
            )}
          </>
        }
      />
      <LogsFilterBar
        filter={filter}
        onChange={change}
        islandSearch={islandSearch}
        islandName={island?.name}
        isSignedIn={state === 'signed-in'}
      />
      <Card aria-label={t`Lines of the logs`} aria-busy={query.isPlaceholderData || undefined}>
        <LoadedList
          of={t`The logs`}
          query={query}
          isEmpty={lines.length === 0}
          skeleton={<SkeletonRows label={t`Loading the logs…`} count={8} />}
          empty={
            <NoLines
              filter={filter}
              hasIsland={island !== null}
              onReset={() => change({ kind: '', island: '', whose: '' })}
            />
          }
          more={t`Show earlier`}
        >
          <DayList items={lines} heading="h2">
            {(line) => <LogLine key={line.entry.id} island={line.island} entry={line.entry} />}
          </DayList>
        </LoadedList>
      </Card>
    </>
  )
}

function NoLines(props: { filter: LogsFilter; hasIsland: boolean; onReset: () => void }) {
  const { hasIsland, onReset } = props
  const { kind, island, isOwn } = props.filter
  if (kind === undefined && island === undefined && !isOwn) {
    return (
      <EmptyState icon={<Anchor aria-hidden />} title={t`Nothing in the logs yet`}>
        <p>
          <Trans>
            Each island has a log. Here you read the logs of islands that you may enter.
          </Trans>
        </p>
        <LinkButton to={paths.discoverCategory('islands')} variant="outline" size="sm">
          <Trans>See the islands</Trans>
        </LinkButton>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon={<SearchX aria-hidden />} title={t`Nothing to read here`}>
      <p>
        {island !== undefined && !hasIsland
          ? t`There is no island at that address whose log you may read.`
          : isOwn && kind === undefined
            ? t`Nothing has happened yet on islands that you host, have joined or follow.`
            : t`No entry matches these filters.`}
      </p>
      <Button variant="outline" size="sm" onClick={onReset}>
        <Trans>Show all logs</Trans>
      </Button>
    </EmptyState>
  )
}

const Parameters = v.object({
  kind: v.fallback(v.optional(LogEntryKind), undefined),
  island: v.fallback(v.optional(v.pipe(v.string(), v.nonEmpty())), undefined),
  whose: v.fallback(v.optional(v.literal('own')), undefined),
})
const none = new URLSearchParams()

/** Reads the filter from the address and drops invalid values. */
function useLogsFilter() {
  const [ofAddress, change] = useAddressParameters()
  const parameters = useIsFromBuild() ? none : ofAddress
  const { kind, island, whose } = v.parse(Parameters, Object.fromEntries(parameters))
  const filter: LogsFilter = { kind, island, isOwn: whose === 'own' }
  return [filter, change] as const
}

type NamedIsland = Pick<IslandCard, 'slug' | 'name'>

type IslandSearch = ComponentType<{
  readonly chosen: NamedIsland | undefined
  readonly onChoose: (island: NamedIsland | undefined) => void
}>

interface LogsFilterBarProps {
  filter: LogsFilter
  onChange: (changes: Readonly<Record<string, string>>) => void
  islandSearch: IslandSearch
  islandName: string | undefined
  isSignedIn: boolean
}

const kindNames: Readonly<Record<LogEntryKind, string>> = {
  signal: t`Signals`,
  note: t`Notes`,
  opened: t`Openings`,
  closed: t`Closings`,
  joined: t`New members`,
}

function LogsFilterBar(props: LogsFilterBarProps) {
  const { onChange, islandSearch: Search, islandName, isSignedIn } = props
  const { kind, island, isOwn } = props.filter
  return (
    <search
      aria-label={t`Lines to show`}
      className="flex flex-wrap items-center gap-x-5 gap-y-3 text-sm"
    >
      <div className="w-full sm:w-72">
        <Search
          chosen={island === undefined ? undefined : { slug: island, name: islandName ?? island }}
          onChoose={(chosen) => onChange({ island: chosen?.slug ?? '', whose: '' })}
        />
      </div>
      <Select
        aria-label={t`Kind`}
        value={kind ?? ''}
        onChange={({ target }) => onChange({ kind: target.value })}
        className="w-full sm:w-44"
      >
        <option value="">
          <Trans>Every kind</Trans>
        </option>
        {Object.entries(kindNames).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </Select>
      {isSignedIn && (
        <Checkbox
          label={t`Mine, joined and followed`}
          checked={isOwn}
          onChange={({ target }) => onChange({ whose: target.checked ? 'own' : '', island: '' })}
        />
      )}
    </search>
  )
}

interface LogsFilter {
  readonly kind: LogEntryKind | undefined
  readonly island: string | undefined
  readonly isOwn: boolean
}

/** The last pages stay while others load. */
function useLogs({ kind, island, isOwn }: LogsFilter, isOn: boolean) {
  return useInfiniteQuery({
    queryKey: [...queryKeys.logs, kind, island, isOwn],
    queryFn: ({ pageParam, signal }) =>
      call(listLogs, {
        query: {
          ...(kind !== undefined && { kind }),
          ...(island !== undefined && { island }),
          ...(isOwn && { whose: 'own' as const }),
          ...(pageParam !== '' && { after: pageParam }),
        },
        signal,
      }),
    enabled: isOn,
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: listedIslandsEveryMs,
  })
}
