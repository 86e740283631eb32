import { removeUserAvatar } from '@astropelago/contract/avatars'
import {
  createUser,
  deleteUser,
  disableUser,
  enableUser,
  endUserSessions,
  getUser,
  listUsers,
  type OperatorUser,
  userKinds,
  userSorts,
} from '@astropelago/contract/operator'
import { createResetCode } from '@astropelago/contract/passwords'
import type { AnswerBody } from '@astropelago/contract/route'
import { command, oneOf, routeCommand } from '../../../admin/command.ts'
import { count, fieldList, printTime, table } from '../../../admin/table.ts'

const username = { name: 'username', summary: 'Who, in whatever case' } as const
const named = (input: { readonly username: string }) => ({ params: { username: input.username } })

export const usersCommands = [
  routeCommand({
    words: 'users list',
    summary: 'Lists users by username, or as --sort says',
    options: {
      search: { value: 'text', summary: 'Those with this in their username or name' },
      only: { value: 'kind', summary: `Some of them: ${userKinds.join(', ')}` },
      sort: { value: 'order', summary: userSorts.join(', ') },
      after: { value: 'place', summary: 'Those after this one, with which a list ended' },
      limit: { value: 'count', summary: 'At most so many; 100 without it' },
    },
    route: listUsers,
    request: ({ search, only, sort, after, limit }) => ({
      query: {
        search,
        after,
        limit,
        ...(only !== undefined && { only: oneOf('only', only, userKinds) }),
        ...(sort !== undefined && { sort: oneOf('sort', sort, userSorts) }),
      },
    }),
    print: ({ users, next }) => {
      if (users.length === 0) return 'There are none.'
      const more = next === null ? '' : `\n\nThere are more: add --after ${next}`
      return `${printUsers(users)}${more}`
    },
  }),
  routeCommand({
    words: 'users show',
    summary: 'Shows a user',
    arguments: [username],
    route: getUser,
    request: named,
    print: (user) =>
      fieldList({
        Username: user.username,
        Name: user.name ?? '–',
        Picture: user.avatar ?? '–',
        Since: `${printTime(user.createdAt)} UTC`,
        Devices: String(user.deviceCount),
        Sessions: String(user.sessionCount),
        'Last used': user.lastUsedAt === null ? '–' : `${printTime(user.lastUsedAt)} UTC`,
        State: stateOf(user) || 'on',
        ...(user.relayStopped !== null && {
          Relay: `stopped since ${printTime(user.relayStopped.at)} UTC: ${user.relayStopped.reason}`,
        }),
      }),
  }),
  command({
    words: 'users create',
    summary: 'Makes an account, and a one-time code to set its password',
    arguments: [{ name: 'username', summary: '3 to 32 letters, digits, _ or -' }],
    run: async ({ input, call }) => {
      const user = await call(createUser, { body: { username: input.username } })
      const code = await call(createResetCode, named(user))
      return {
        text: `${user.username} has an account without a password so far.\n${printCode(code)}`,
        json: { user, code },
      }
    },
  }),
  routeCommand({
    words: 'users disable',
    summary: 'Turns an account off: it can’t sign in, and its devices are hidden',
    arguments: [username],
    route: disableUser,
    request: named,
    print: (user) =>
      `${user.username} is turned off since ${printTime(user.disabledAt)} UTC, with ` +
      `${count(user.deviceCount, 'device')}. npm run admin -- users enable ${user.username} brings it all back.`,
  }),
  routeCommand({
    words: 'users enable',
    summary: 'Turns an account on again, with its devices as they were',
    arguments: [username],
    route: enableUser,
    request: named,
    print: (user) => `${user.username} is on, with ${count(user.deviceCount, 'device')}.`,
  }),
  routeCommand({
    words: 'users delete',
    summary: 'Deletes an account and everything in it, for good',
    arguments: [username],
    confirm: (input) => ({
      warning: `The account ${input.username}, its devices and all it stored will be deleted for good.`,
      word: input.username,
    }),
    route: deleteUser,
    request: named,
    print: ({ deviceCount }, input) =>
      `${input.username} is deleted, with ${count(deviceCount, 'device')}.`,
  }),
  routeCommand({
    words: 'sessions end',
    summary: 'Signs a user out everywhere',
    arguments: [username],
    route: endUserSessions,
    request: named,
    print: ({ ended }, input) => `${input.username}: ${count(ended, 'session')} ended.`,
  }),
  routeCommand({
    words: 'avatars remove',
    summary: 'Removes the picture of a user, who can upload another one',
    arguments: [username],
    route: removeUserAvatar,
    request: named,
    print: (user) => `${user.username} has no picture any more.`,
  }),
  routeCommand({
    words: 'users reset',
    summary: 'Makes a one-time code by which somebody who lost a password sets a new one',
    arguments: [username],
    route: createResetCode,
    request: named,
    print: printCode,
  }),
]

function printCode({ username: whose, code, link, expiresAt }: AnswerBody<typeof createResetCode>) {
  const until = `${printTime(expiresAt)} UTC`
  return `Give ${whose} this code, or the link with it. It works once, until ${until}.\n${code}\n${link}`
}

function printUsers(users: readonly OperatorUser[]): string {
  return table(
    ['USERNAME', 'NAME', 'SINCE (UTC)', 'DEVICES', 'SESSIONS', 'LAST USED (UTC)', 'STATE'],
    users.map((user) => [
      user.username,
      user.name ?? '–',
      printTime(user.createdAt),
      String(user.deviceCount),
      String(user.sessionCount),
      printTime(user.lastUsedAt),
      stateOf(user),
    ]),
  )
}

/** Everything unusual about the user; empty if nothing is. */
function stateOf({ disabledAt, isOperator, isDemo, trustedAt }: OperatorUser): string {
  return [
    disabledAt !== null && 'turned off',
    isOperator && 'operator',
    isDemo && 'demo',
    trustedAt !== null && 'trusted host',
  ]
    .filter(Boolean)
    .join(', ')
}
