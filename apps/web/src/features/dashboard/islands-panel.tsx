import type { OwnIsland } from '@astropelago/contract/islands'
import { notesCounted } from '@astropelago/contract/limits'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { FirstIslandLink } from '../../islands/first-island-link.tsx'
import { IslandLine } from '../../islands/island-card.tsx'
import { isDraft, joinedIslandsQuery, ownIslandsQuery } from '../../islands/own-islands-query.ts'
import { LinkButton } from '../../lib/link-button.tsx'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorLine } from '../../ui/error-line.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AttentionList, attentionOf } from './attention-list.tsx'

export function IslandsPanel() {
  const own = useQuery(ownIslandsQuery)
  const joined = useQuery(joinedIslandsQuery)
  const failed = [own, joined].filter(({ error }) => error !== null)
  const hosted = own.data ?? []
  const memberships = joined.data ?? []
  const isAwaited = failed.length === 0 && !(own.isSuccess && joined.isSuccess)
  const isEmpty = own.isSuccess && joined.isSuccess && hosted.length + memberships.length === 0
  return (
    <Card
      title={t`Your islands`}
      actions={
        hosted.length > 0 && (
          <LinkButton to={paths.newIsland()} variant="outline" size="sm">
            <Trans>New island</Trans>
          </LinkButton>
        )
      }
    >
      {isAwaited && <IslandsSkeleton />}
      {!isAwaited && <AttentionList items={attentionOf(hosted)} />}
      {!isAwaited && hosted.length > 0 && (
        <Group title={t`You host`}>
          {hosted.map((island) => (
            <HostedLine key={island.id} island={island} />
          ))}
        </Group>
      )}
      {!isAwaited && memberships.length > 0 && (
        <Group title={t`You have joined`}>
          {memberships.map((island) => (
            <li key={island.id}>
              <IslandLine island={island} />
            </li>
          ))}
        </Group>
      )}
      {isEmpty && <NoIslands />}
      {failed.length > 0 && (
        <ErrorLine
          busy={failed.some(({ isFetching }) => isFetching)}
          onRetry={() => failed.forEach(({ refetch }) => void refetch())}
        >
          <Trans>Your islands could not all be loaded.</Trans>
        </ErrorLine>
      )}
    </Card>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1">
      <h3 id={id} className="text-xs font-medium tracking-normal text-muted">
        {title}
      </h3>
      <ul aria-labelledby={id} className="-mx-3 flex flex-col">
        {children}
      </ul>
    </div>
  )
}

function HostedLine({ island }: { island: OwnIsland }) {
  const { id, noteCount, memberCount } = island
  const isUnpublished = isDraft(island)
  const counts = [
    memberCount > 0 && plural(memberCount, { one: '# member', other: '# members' }),
    noteCount > 0 && notesText(noteCount),
  ].filter(Boolean)
  return (
    <li>
      <IslandLine
        island={island}
        to={isUnpublished ? paths.newIsland(id) : undefined}
        mark={
          isUnpublished ? (
            <span className="text-muted">
              <Trans>Draft</Trans>
            </span>
          ) : undefined
        }
        about={isUnpublished ? t`Only you can see it.` : counts.join(' · ') || island.tagline}
      />
    </li>
  )
}

function notesText(count: number): string {
  const most = notesCounted - 1
  return count > most
    ? t`${most}+ notes in the last day`
    : plural(count, { one: '# note in the last day', other: '# notes in the last day' })
}

function NoIslands() {
  return (
    <div className="flex flex-col items-center gap-4 text-center">
      <FreeBerths />
      <p className="max-w-sm text-sm text-muted">
        <Trans>You have no islands yet. Make your own, or look for one to join.</Trans>
      </p>
      <div className="flex flex-wrap justify-center gap-3">
        <LinkButton to={paths.newIsland()} size="sm">
          <Trans>Make an island</Trans>
        </LinkButton>
        <LinkButton to={paths.discoverCategory('islands')} variant="outline" size="sm">
          <Trans>Find islands</Trans>
        </LinkButton>
      </div>
      <p className="text-sm">
        <FirstIslandLink />
      </p>
    </div>
  )
}

function IslandsSkeleton() {
  return (
    <div data-awaited className="flex flex-col gap-5">
      <output className="sr-only">
        <Trans>Loading your islands…</Trans>
      </output>
      {[0, 1, 2].map((row) => (
        <div key={row} className="flex items-center gap-4">
          <Skeleton className="size-12 shrink-0 rounded-control" />
          <Skeleton className="h-6 w-full rounded-mark" />
        </div>
      ))}
    </div>
  )
}

/** A sketch of future islands. Decorative. */
function FreeBerths() {
  return (
    <svg aria-hidden viewBox="0 0 400 188" fill="none" className="h-40 w-full">
      <ellipse
        cx="200"
        cy="104"
        rx="176"
        ry="46"
        strokeDasharray="2 7"
        strokeLinecap="round"
        className="stroke-line-strong"
      />
      <g>
        <path d="m136 92 22 34 20 8 22 36 24-38 20-8 20-32Z" className="fill-ground" />
        <path d="m136 92 22 34 20 8 22 36 24-38 20-8 20-32Z" className="fill-island/30" />
        <ellipse cx="200" cy="92" rx="64" ry="12" className="fill-hover" />
        <ellipse cx="200" cy="92" rx="64" ry="12" className="fill-island/40 stroke-island" />
        <path d="m176 90 11-34 11 34Zm16 2 9-26 9 26Z" className="fill-island/75" />
        <path d="M222 92V78l10-8 10 8v14Z" className="fill-island" />
      </g>
      <ellipse
        cx="50"
        cy="122"
        rx="30"
        ry="7"
        strokeDasharray="4 4"
        className="fill-panel stroke-island/70"
      />
      <ellipse
        cx="346"
        cy="80"
        rx="26"
        ry="6"
        strokeDasharray="4 4"
        className="fill-panel stroke-island/70"
      />
    </svg>
  )
}
