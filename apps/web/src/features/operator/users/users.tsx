import {
  createUser,
  listUsers,
  type OperatorUser,
  type UserKind,
  type UserSort,
} from '@astropelago/contract/operator'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useNavigate, useSearchParams } from 'react-router'
import SearchX from 'virtual:icon/search-x'
import UserPlus from 'virtual:icon/user-plus'
import { formatNumber } from '../../../language/format.ts'
import { call } from '../../../lib/call.ts'
import { readBy } from '../../../lib/forms/reading.ts'
import { useApiForm } from '../../../lib/forms/use-api-form.ts'
import { paths } from '../../../paths.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { FormActions } from '../../../ui/form-actions.tsx'
import { Table, TableCell, TableRow } from '../../../ui/table.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useMediaQuery } from '../../../ui/use-media-query.ts'
import { verbatimInput } from '../../../ui/verbatim-input.ts'
import { DialogButton } from '../action-button.tsx'
import { AtTime } from '../at-time.tsx'
import { ListFilter, SearchField, useChoiceInAddress, useSearchInAddress } from '../list-filter.tsx'
import { OperatorListCard } from '../operator-list-card.tsx'
import { useAfterAction, useSearchedPages } from '../operator-query.ts'
import { UserLink } from '../subject-details.tsx'
import { UserMarks, UserPage } from './user-page.tsx'

const kinds: Readonly<Record<UserKind, string>> = {
  operators: t`Operators`,
  disabled: t`Turned off`,
  demo: t`Demo accounts`,
  trusted: t`Trusted hosts`,
  'relay-stopped': t`Relay stopped`,
  'without-devices': t`Without devices`,
}

const orders: Readonly<Record<Exclude<UserSort, 'username'>, string>> = {
  newest: t`Newest first`,
  'last-seen': t`Last seen first`,
}

/** All users, or the user in the address. */
export function Users() {
  const [parameters] = useSearchParams()
  const username = parameters.get('user')
  return username === null ? <UserList /> : <UserPage key={username} username={username} />
}

function UserList() {
  const { field, wanted } = useSearchInAddress()
  const only = useChoiceInAddress('only', kinds)
  const sort = useChoiceInAddress('sort', orders)
  const query = useSearchedPages({
    list: 'users',
    filter: { search: wanted, only, sort },
    fetchPage: (asked, signal) => call(listUsers, { query: asked, signal }),
    nextOf: ({ next }) => next ?? undefined,
  })
  const users = query.data?.pages.flatMap((page) => page.users) ?? []
  return (
    <OperatorListCard
      of={t`The users`}
      title={t`Users`}
      description={t`Everybody who has an account. Press a name to see more and to change something.`}
      actions={
        <DialogButton renderDialog={(close) => <CreateUserDialog onClose={close} />}>
          <UserPlus aria-hidden />
          <Trans>Make an account</Trans>
        </DialogButton>
      }
      filters={
        <SearchField label={t`Search users`} placeholder={t`In username or name`} {...field}>
          <ListFilter name="only" label={t`Show`} without={t`Everybody`} choices={kinds} />
          <ListFilter name="sort" label={t`Order`} without={t`By username`} choices={orders} />
        </SearchField>
      }
      query={query}
      isEmpty={users.length === 0}
      empty={
        wanted === '' ? (
          <p className="text-sm text-muted">
            <Trans>There are no users of this kind.</Trans>
          </p>
        ) : (
          <EmptyState icon={<SearchX aria-hidden />} title={t`Nobody has this name`}>
            <p>
              <Trans>Usernames and names are searched, without regard to case.</Trans>
            </p>
          </EmptyState>
        )
      }
    >
      <FoundUsers users={users} />
    </OperatorListCard>
  )
}

const columns = [
  { name: t`Username` },
  { name: t`Name` },
  { name: t`Devices`, numeric: true },
  { name: t`Sessions`, numeric: true },
  { name: t`Last seen` },
  { name: t`Since` },
]

/** A table, or stacked lines if there is no room for a table. */
function FoundUsers({ users }: { users: readonly OperatorUser[] }) {
  const hasRoom = useMediaQuery('(min-width: 60rem)')
  if (!hasRoom) {
    return (
      <ul aria-label={t`Users`} className="flex flex-col">
        {users.map((user) => (
          <li
            key={user.username}
            className="flex min-w-0 flex-col gap-1 border-b border-line py-3 first:pt-0 last:border-0"
          >
            <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
              <UserLink username={user.username} className="font-medium wrap-anywhere" />
              <UserMarks user={user} />
            </p>
            {user.name !== null && <bdi className="text-sm wrap-anywhere">{user.name}</bdi>}
            <p className="text-xs text-muted" data-numeric>
              {plural(user.deviceCount, { one: '# device', other: '# devices' })},{' '}
              {plural(user.sessionCount, { one: '# session', other: '# sessions' })}
              {user.lastUsedAt !== null && (
                <>
                  {', '}
                  <Trans>
                    last seen <AtTime at={user.lastUsedAt} />
                  </Trans>
                </>
              )}
              {', '}
              <Trans>
                since <AtTime at={user.createdAt} />
              </Trans>
            </p>
          </li>
        ))}
      </ul>
    )
  }
  return (
    <Table caption={t`Users`} columns={columns}>
      {users.map((user) => (
        <TableRow key={user.username}>
          <TableCell>
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <UserLink username={user.username} className="font-medium wrap-anywhere" />
              <UserMarks user={user} />
            </span>
          </TableCell>
          <TableCell className="max-w-56 wrap-anywhere">
            {user.name === null ? <span className="text-muted">–</span> : <bdi>{user.name}</bdi>}
          </TableCell>
          <TableCell numeric>{formatNumber(user.deviceCount)}</TableCell>
          <TableCell numeric>{formatNumber(user.sessionCount)}</TableCell>
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

function CreateUserDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const after = useAfterAction()
  const form = useApiForm({
    values: { username: '' },
    read: ({ username }) => readBy(createUser.body, { username: username.trim() }),
    send: (body) => call(createUser, { body }),
    onSent: ({ username }) => {
      after(t`The account ${username} is made`)
      onClose()
      void navigate(paths.mothership('users', { user: username }))
    },
    fieldOf: { invalid_username: 'username', username_taken: 'username' },
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={t`Make an account`}
      description={t`It has no password yet. Make a password code and give it to its user, who then sets a password.`}
    >
      <form {...form.wiring} className="flex flex-col gap-6">
        <TextField
          label={t`Username`}
          hint={t`3 to 32 letters, digits, - and _.`}
          {...verbatimInput}
          maxLength={64}
          {...form.text('username')}
        />
        <FormActions form={form} submit={t`Make it`} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
