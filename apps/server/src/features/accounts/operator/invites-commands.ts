import { createInvite, listInvites, revokeInvite } from '@astropelago/contract/invites'
import { routeCommand } from '../../../admin/command.ts'
import { printTime, table } from '../../../admin/table.ts'

export const invitesCommands = [
  routeCommand({
    words: 'invites create',
    summary: 'Makes an invite, by which people register where REGISTRATION is invite',
    options: {
      uses: { value: 'count', summary: 'So many can register by it; 1 without it' },
      days: { value: 'count', summary: 'It ends after so many days; 7 without it' },
      note: { value: 'text', summary: 'What it is for, for operators' },
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
      [
        `Whoever has this code, or the link with it, can register: ${maxUses} in all, until ${printTime(expiresAt)} UTC.`,
        code,
        link,
      ].join('\n'),
  }),
  routeCommand({
    words: 'invites list',
    summary: 'Lists invites, newest first',
    route: listInvites,
    request: () => ({}),
    print: (invites) =>
      invites.length === 0
        ? 'There are none.'
        : table(
            ['NOTE', 'USED', 'ENDS (UTC)', 'MADE BY', 'ID'],
            invites.map(({ id, uses, maxUses, expiresAt, createdBy, note }) => [
              note ?? '–',
              `${uses} of ${maxUses}`,
              printTime(expiresAt),
              createdBy,
              id,
            ]),
          ),
  }),
  routeCommand({
    words: 'invites revoke',
    summary: 'Withdraws an invite; people who registered with it stay',
    arguments: [{ name: 'id', summary: 'As “invites list” shows it' }],
    route: revokeInvite,
    request: ({ id }) => ({ params: { id } }),
    print: () => 'Nobody can register by it any more.',
  }),
]
