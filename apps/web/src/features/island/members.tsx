import type { IslandView } from '@astropelago/contract/islands'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { membersQuery } from '../../islands/people-queries.ts'
import { LinkButton } from '../../lib/link-button.tsx'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadedList } from '../../ui/loaded-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

export function Members({ island }: { island: IslandView }) {
  const { slug, role, memberCount } = island
  const mayKnow = role === 'host' || role === 'member'
  return (
    <Card
      title={t`Members`}
      description={
        memberCount === 0
          ? t`Nobody has joined yet.`
          : plural(memberCount, {
              one: '# Navigator has joined.',
              other: '# Navigators have joined.',
            })
      }
      actions={
        role === 'host' && (
          <LinkButton to={paths.islandSettings(slug, 'members')} variant="outline" size="sm">
            <Trans>Manage</Trans>
          </LinkButton>
        )
      }
    >
      {mayKnow && memberCount > 0 && <MemberList id={island.id} />}
      {!mayKnow && memberCount > 0 && (
        <p className="text-sm text-muted">
          <Trans>Only members can see who they are.</Trans>
        </p>
      )}
    </Card>
  )
}

function MemberList({ id }: { id: string }) {
  const query = useInfiniteQuery(membersQuery(id))
  const members = query.data?.pages.flatMap((page) => page.members) ?? []
  return (
    <LoadedList
      of={t`The members`}
      query={query}
      isEmpty={members.length === 0}
      skeleton={<Skeleton className="h-7 w-full rounded-mark" />}
      empty={null}
    >
      <ul className="flex flex-wrap gap-x-5 gap-y-3">
        {members.map(({ username, name, avatar }) => (
          <li key={username} className="flex min-w-0 max-w-full items-center gap-2.5 text-sm">
            <Avatar username={username} image={avatar} hue={null} />
            <bdi className="min-w-0 truncate" title={username}>
              {name ?? username}
            </bdi>
          </li>
        ))}
      </ul>
    </LoadedList>
  )
}
