import type { IslandView } from '@astropelago/contract/islands'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'react-router'
import { membersQuery } from '../../islands/people-queries.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { ErrorLine } from '../../ui/error-line.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** The number of members and, for the host and members, their names. */
export function Members({ island }: { island: IslandView }) {
  const titleId = useId()
  const { slug, role, memberCount } = island
  const mayKnow = role === 'host' || role === 'member'
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader id={titleId} title="Members" description={countText(memberCount)}>
        {role === 'host' && (
          <Link
            to={paths.islandSettings(slug, 'members')}
            className={buttonStyles({ variant: 'outline', size: 'sm' })}
          >
            Manage
          </Link>
        )}
      </CardHeader>
      {mayKnow && memberCount > 0 && <MemberList id={island.id} />}
      {!mayKnow && memberCount > 0 && (
        <p className="text-sm text-muted">Only members can see who they are.</p>
      )}
    </Card>
  )
}

function countText(count: number): string {
  if (count === 0) return 'Nobody has joined yet.'
  return count === 1
    ? '1 Navigator has joined.'
    : `${count.toLocaleString('en')} Navigators have joined.`
}

function MemberList({ id }: { id: string }) {
  const query = useInfiniteQuery(membersQuery(id))
  const members = query.data?.pages.flatMap((page) => page.members)
  return (
    <>
      {members === undefined && query.error === null && (
        <Skeleton className="h-7 w-full rounded-mark" />
      )}
      {members !== undefined && (
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
      )}
      {query.error !== null && (
        <ErrorLine busy={query.isFetching} onRetry={() => void query.refetch()}>
          The members could not be loaded.
        </ErrorLine>
      )}
      {query.hasNextPage && query.error === null && (
        <Button
          variant="outline"
          size="sm"
          className="self-start"
          busy={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </>
  )
}
