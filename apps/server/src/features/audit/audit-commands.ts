import { listAuditEntries } from '@astropelago/contract/audit'
import { pageOptions, routeCommand } from '../../admin/command.ts'
import { list, printTime } from '../../admin/table.ts'

export const auditCommands = [
  routeCommand({
    words: 'audit',
    summary: 'Lists who did what, newest first',
    options: {
      actor: { value: 'who', summary: 'Only by this actor, such as user:ada or operator:console' },
      subject: { value: 'whom', summary: 'Only what was done to this subject, such as user:ada' },
      action: { value: 'what', summary: 'Only actions that begin so, as user. or user.disabled' },
      before: { value: 'number', summary: 'Continues the list where it ended, at this number' },
      limit: pageOptions.limit,
    },
    route: listAuditEntries,
    request: ({ actor, subject, action, before, limit }) => ({
      query: { actor, subject, action, before, limit },
    }),
    print: ({ entries, hasMore }) =>
      list(
        entries,
        {
          'WHEN (UTC)': ({ at }) => printTime(at),
          WHO: ({ actor }) => actor,
          WHAT: ({ action }) => action,
          WHOM: ({ subject }) => subject,
          'HOW IT ENDED': ({ outcome, code }) => (code === null ? outcome : `${outcome}: ${code}`),
          NUMBER: ({ number }) => number,
          DETAILS: ({ details }) =>
            Object.entries(details ?? {})
              .map(([name, value]) => `${name}=${value}`)
              .join(' '),
        },
        hasMore && `--before ${entries.at(-1)?.number}`,
      ),
  }),
]
