import {
  distrustHost,
  startUserRelay,
  stopUserRelay,
  trustHost,
} from '@astropelago/contract/operator-relay'
import { routeCommand } from '../../../admin/command.ts'

const username = { name: 'username', summary: 'Who, in whatever case' } as const
const named = (input: { readonly username: string }) => ({ params: { username: input.username } })

export const hostsCommands = [
  routeCommand({
    words: 'hosts stop',
    summary: 'Stops the relay for all islands of a user, who sees why',
    arguments: [username, { name: 'reason', summary: 'What the user reads, in quotes' }],
    route: stopUserRelay,
    request: (input) => ({ ...named(input), body: { reason: input.reason } }),
    print: (user) =>
      `The relay carries nobody to islands of ${user.username} any more. ` +
      `npm run admin -- hosts start ${user.username} takes that back.`,
  }),
  routeCommand({
    words: 'hosts start',
    summary: 'Starts the relay for the islands of a user again',
    arguments: [username],
    route: startUserRelay,
    request: named,
    print: (user) => `The relay carries visitors to islands of ${user.username} again.`,
  }),
  routeCommand({
    words: 'hosts trust',
    summary: 'Trusts a host: visitors come to the islands without being asked first',
    arguments: [username],
    route: trustHost,
    request: named,
    print: (user) => `${user.username} is trusted as a host.`,
  }),
  routeCommand({
    words: 'hosts distrust',
    summary: 'No longer trusts a host: visitors are asked first',
    arguments: [username],
    route: distrustHost,
    request: named,
    print: (user) => `${user.username} is not trusted as a host.`,
  }),
]
