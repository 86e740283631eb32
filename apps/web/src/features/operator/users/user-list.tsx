import type { OperatorUser, UserKind, UserSort } from '@astropelago/contract/operator'
import { useId, useState } from 'react'
import { Link } from 'react-router'
import SearchX from 'virtual:icon/search-x'
import UserPlus from 'virtual:icon/user-plus'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Table, TableCell, TableRow } from '../../../ui/table.tsx'
import { useMediaQuery } from '../../../ui/use-media-query.ts'
import { AtTime } from '../at-time.tsx'
import { ListFilter, useChoiceInAddress } from '../list-filter.tsx'
import { OperatorList } from '../operator-list.tsx'
import { paths } from '../../../paths.ts'
import { SearchField } from '../search-field.tsx'
import { useSearchInAddress } from '../use-search-in-address.ts'
import { CreateUserDialog } from './create-user-dialog.tsx'
import { UserMarks } from './user-marks.tsx'
import { useUsers } from './users-queries.ts'

const kinds: Readonly<Record<UserKind, string>> = {
  operators: 'Operators',
  disabled: 'Turned off',
  demo: 'Demo accounts',
  trusted: 'Trusted hosts',
  'relay-stopped': 'Relay stopped',
  'without-devices': 'Without devices',
}

const orders: Readonly<Record<Exclude<UserSort, 'username'>, string>> = {
  newest: 'Newest first',
  'last-seen': 'Last seen first',
}

/** All users, with a search. */
export function UserList() {
  const titleId = useId()
  const { search, setSearch, wanted } = useSearchInAddress()
  const only = useChoiceInAddress('only', kinds)
  const sort = useChoiceInAddress('sort', orders)
  const query = useUsers({ search: wanted, only, sort })
  const users = query.data?.pages.flatMap((page) => page.users) ?? []
  const [isCreating, setIsCreating] = useState(false)
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader
        id={titleId}
        title="Users"
        description="Everybody who has an account. Press a name to see more and to change something."
      >
        <Button variant="outline" onClick={() => setIsCreating(true)}>
          <UserPlus aria-hidden />
          Make an account
        </Button>
      </CardHeader>
      <SearchField
        label="Search users"
        placeholder="In username or name"
        value={search}
        onChange={setSearch}
      >
        <ListFilter name="only" label="Show" without="Everybody" choices={kinds} />
        <ListFilter name="sort" label="Order" without="By username" choices={orders} />
      </SearchField>
      <div className="flex min-w-0 flex-col gap-5" aria-busy={query.isPlaceholderData}>
        <OperatorList
          of="The users"
          query={query}
          isEmpty={users.length === 0}
          empty={
            wanted === '' ? (
              <p className="text-sm text-muted">There is nobody of this kind.</p>
            ) : (
              <EmptyState icon={<SearchX aria-hidden />} title="Nobody has this name">
                <p>Usernames and names are searched, without regard to case.</p>
              </EmptyState>
            )
          }
        >
          <FoundUsers users={users} />
        </OperatorList>
      </div>
      {isCreating && <CreateUserDialog onClose={() => setIsCreating(false)} />}
    </Card>
  )
}

const columns = [
  { name: 'Username' },
  { name: 'Name' },
  { name: 'Devices', numeric: true },
  { name: 'Sessions', numeric: true },
  { name: 'Last seen' },
  { name: 'Since' },
]

/** A table, or stacked lines if there is no room for a table. */
function FoundUsers({ users }: { users: readonly OperatorUser[] }) {
  const hasRoom = useMediaQuery('(min-width: 60rem)')
  if (!hasRoom) {
    return (
      <ul aria-label="Users" className="flex flex-col">
        {users.map((user) => (
          <li
            key={user.username}
            className="flex min-w-0 flex-col gap-1 border-b border-line py-3 first:pt-0 last:border-0"
          >
            <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
              <UserLink username={user.username} />
              <UserMarks user={user} />
            </p>
            {user.name !== null && <bdi className="text-sm wrap-anywhere">{user.name}</bdi>}
            <p className="text-xs text-muted" data-numeric>
              {countOf(user.deviceCount, 'device')}, {countOf(user.sessionCount, 'session')}
              {user.lastUsedAt !== null && (
                <>
                  , last seen <AtTime at={user.lastUsedAt} />
                </>
              )}
              , since <AtTime at={user.createdAt} />
            </p>
          </li>
        ))}
      </ul>
    )
  }
  return (
    <Table caption="Users" columns={columns}>
      {users.map((user) => (
        <TableRow key={user.username}>
          <TableCell>
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <UserLink username={user.username} />
              <UserMarks user={user} />
            </span>
          </TableCell>
          <TableCell className="max-w-56 wrap-anywhere">
            {user.name === null ? <span className="text-muted">–</span> : <bdi>{user.name}</bdi>}
          </TableCell>
          <TableCell numeric>{user.deviceCount.toLocaleString('en')}</TableCell>
          <TableCell numeric>{user.sessionCount.toLocaleString('en')}</TableCell>
          <TableCell className="whitespace-nowrap text-muted">
            {user.lastUsedAt === null ? '–' : <AtTime at={user.lastUsedAt} />}
          </TableCell>
          <TableCell className="whitespace-nowrap text-muted">
            <AtTime at={user.createdAt} />
          </TableCell>
        </TableRow>
      ))}
    </Table>
  )
}

function UserLink({ username }: { username: string }) {
  return (
    <Link
      to={paths.mothership('users', { user: username })}
      className="font-medium wrap-anywhere text-accent underline decoration-transparent underline-offset-4 transition-colors hover:decoration-current"
    >
      {username}
    </Link>
  )
}

function countOf(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
}
