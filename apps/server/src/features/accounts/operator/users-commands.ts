import { listUsers, type OperatorUser } from '@astropelago/contract/operator'
import { routeCommand } from '../../../admin/command.ts'
import { printTime, table } from '../../../admin/table.ts'

export const usersCommands = [
  routeCommand({
    words: 'users list',
    summary: 'Lists users by username',
    options: {
      search: { value: 'text', summary: 'Those with this in their username or name' },
      after: { value: 'username', summary: 'Those after this one, as the list before ended with' },
      limit: { value: 'count', summary: 'At most so many; 100 without it' },
    },
    route: listUsers,
    request: ({ search, after, limit }) => ({ query: { search, after, limit } }),
    print: ({ users, hasMore }) => {
      if (users.length === 0) return 'There are none.'
      const last = users.at(-1)?.username ?? ''
      const more = hasMore ? `\n\nThere are more: add --after ${last}` : ''
      return `${printUsers(users)}${more}`
    },
  }),
]

function printUsers(users: readonly OperatorUser[]): string {
  return table(
    ['USERNAME', 'NAME', 'SINCE', 'DEVICES', 'SESSIONS', 'LAST USED', ''],
    users.map((user) => [
      user.username,
      user.name ?? '–',
      printTime(user.createdAt),
      String(user.deviceCount),
      String(user.sessionCount),
      printTime(user.lastUsedAt),
      [user.disabledAt !== null && 'disabled', user.isOperator && 'operator', user.isDemo && 'demo']
        .filter(Boolean)
        .join(', '),
    ]),
  )
}
