import { removeUserAvatar } from '@astropelago/contract/avatars'
import { createInvite, listInvites, revokeInvite } from '@astropelago/contract/invites'
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
import {
  distrustHost,
  startUserRelay,
  stopUserRelay,
  trustHost,
} from '@astropelago/contract/operator-relay'
import { createResetCode } from '@astropelago/contract/passwords'
import type { AnswerBody } from '@astropelago/contract/route'
import { command, oneOf, pageOptions, routeCommand } from '../../../admin/command.ts'
import { count, fieldList, list, printTime, printUtc } from '../../../admin/table.ts'

const username = { name: 'username', summary: 'The user; upper and lower case are equal' } as const
const named = (input: { readonly username: string }) => ({ params: { username: input.username } })
const ofUser = { arguments: [username], request: named } as const

const usersCommands = [
  routeCommand({
    words: 'users list',
    summary: 'Lists users by username, or as --sort says',
    options: {
      search: { value: 'text', summary: 'Only users with this text in their username or name' },
      only: { value: 'kind', summary: `Only users of this kind: ${userKinds.join(', ')}` },
      sort: { value: 'order', summary: userSorts.join(', ') },
      ...pageOptions,
    },
    route: listUsers,
    request: ({ search, only, sort, after, limit }) => ({
      query: {
        search,
        after,
        limit,
        only: oneOf('only', only, userKinds),
        sort: oneOf('sort', sort, userSorts),
      },
    }),
    print: ({ users, next }) =>
      list(
        users,
        {
          USERNAME: (user) => user.username,
          NAME: (user) => user.name,
          'SINCE (UTC)': (user) => printTime(user.createdAt),
          DEVICES: (user) => user.deviceCount,
          SESSIONS: (user) => user.sessionCount,
          'LAST USED (UTC)': (user) => printTime(user.lastUsedAt),
          STATE: stateOf,
        },
        next !== null && `--after ${next}`,
      ),
  }),
  routeCommand({
    words: 'users show',
    summary: 'Shows a user',
    ...ofUser,
    route: getUser,
    print: (user) =>
      fieldList({
        Username: user.username,
        Name: user.name,
        Picture: user.avatar,
        Since: printUtc(user.createdAt),
        Devices: user.deviceCount,
        Sessions: user.sessionCount,
        'Last used': printUtc(user.lastUsedAt),
        State: stateOf(user) || 'on',
        ...(user.relayStopped !== null && {
          Relay: `stopped since ${printUtc(user.relayStopped.at)}: ${user.relayStopped.reason}`,
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
    ...ofUser,
    route: disableUser,
    print: (user) =>
      `${user.username} is turned off since ${printUtc(user.disabledAt)}, with ` +
      `${count(user.deviceCount, 'device')}. npm run admin -- users enable ${user.username} brings it all back.`,
  }),
  routeCommand({
    words: 'users enable',
    summary: 'Turns an account on again, with its devices as they were',
    ...ofUser,
    route: enableUser,
    print: (user) => `${user.username} is on, with ${count(user.deviceCount, 'device')}.`,
  }),
  routeCommand({
    words: 'users delete',
    summary: 'Deletes an account and everything in it, for good',
    ...ofUser,
    confirm: (input) => ({
      warning: `The account ${input.username}, its devices and all it stored will be deleted for good.`,
      word: input.username,
    }),
    route: deleteUser,
    print: ({ deviceCount }, input) =>
      `${input.username} is deleted, with ${count(deviceCount, 'device')}.`,
  }),
  routeCommand({
    words: 'sessions end',
    summary: 'Signs a user out everywhere',
    ...ofUser,
    route: endUserSessions,
    print: ({ ended }, input) => `${input.username}: ${count(ended, 'session')} ended.`,
  }),
  routeCommand({
    words: 'avatars remove',
    summary: 'Removes the picture of a user, who can upload another one',
    ...ofUser,
    route: removeUserAvatar,
    print: (user) => `${user.username} has no picture any more.`,
  }),
  routeCommand({
    words: 'users reset',
    summary: 'Makes a one-time code with which a user sets a new password',
    ...ofUser,
    route: createResetCode,
    print: printCode,
  }),
]

function printCode({ username: whose, code, link, expiresAt }: AnswerBody<typeof createResetCode>) {
  const until = printUtc(expiresAt)
  return `Give ${whose} this code, or the link with it. It works once, until ${until}.\n${code}\n${link}`
}

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

const hostsCommands = [
  routeCommand({
    words: 'hosts stop',
    summary: 'Stops the relay for all islands of a user, who sees why',
    arguments: [username, { name: 'reason', summary: 'What the user reads, in quotes' }],
    route: stopUserRelay,
    request: (input) => ({ ...named(input), body: { reason: input.reason } }),
    print: (user) =>
      `The relay no longer carries visitors to islands of ${user.username}. To undo this, run ` +
      `npm run admin -- hosts start ${user.username}.`,
  }),
  routeCommand({
    words: 'hosts start',
    summary: 'Starts the relay for the islands of a user again',
    ...ofUser,
    route: startUserRelay,
    print: (user) => `The relay carries visitors to islands of ${user.username} again.`,
  }),
  routeCommand({
    words: 'hosts trust',
    summary: 'Trusts a host: visitors come to the islands without being asked first',
    ...ofUser,
    route: trustHost,
    print: (user) => `${user.username} is trusted as a host.`,
  }),
  routeCommand({
    words: 'hosts distrust',
    summary: 'No longer trusts a host: visitors are asked first',
    ...ofUser,
    route: distrustHost,
    print: (user) => `${user.username} is not trusted as a host.`,
  }),
]

const invitesCommands = [
  routeCommand({
    words: 'invites create',
    summary: 'Makes an invite, which new users need where REGISTRATION is invite',
    options: {
      uses: { value: 'count', summary: 'How many users can register with it, 1 by default' },
      days: { value: 'count', summary: 'How many days it lasts, 7 by default' },
      note: { value: 'text', summary: 'What it is for; only operators see this' },
    },
    route: createInvite,
    request: ({ uses, days, note }) => ({
      body: {
        ...(uses !== undefined && { uses: Number(uses) }),
        ...(days !== undefined && { days: Number(days) }),
        ...(note !== undefined && { note }),
      },
    }),
    print: ({ code, link, maxUses, expiresAt }) =>
      `${count(maxUses, 'user')} can register with this code, or the link with it, until ` +
      `${printUtc(expiresAt)}.\n${code}\n${link}`,
  }),
  routeCommand({
    words: 'invites list',
    summary: 'Lists invites, newest first',
    route: listInvites,
    request: () => ({}),
    print: (invites) =>
      list(invites, {
        NOTE: ({ note }) => note,
        USED: ({ uses, maxUses }) => `${uses} of ${maxUses}`,
        'ENDS (UTC)': ({ expiresAt }) => printTime(expiresAt),
        'MADE BY': ({ createdBy }) => createdBy,
        ID: ({ id }) => id,
      }),
  }),
  routeCommand({
    words: 'invites revoke',
    summary: 'Withdraws an invite; users who registered with it stay',
    arguments: [{ name: 'id', summary: 'The ID in “invites list”' }],
    route: revokeInvite,
    request: ({ id }) => ({ params: { id } }),
    print: () => 'The invite no longer works.',
  }),
]

export const accountsCommands = [...usersCommands, ...hostsCommands, ...invitesCommands]
