import { listAuditEntries } from '@astropelago/contract/audit'
import { routeCommand } from '../../admin/command.ts'
import { printTime, table } from '../../admin/table.ts'

export const auditCommands = [
  routeCommand({
    words: 'audit',
    summary: 'Lists who did what, the latest first',
    options: {
      actor: {
        value: 'who',
        summary: 'Only what this actor did, such as user:ada or operator:console',
      },
      subject: { value: 'whom', summary: 'Only what was done to this subject, such as user:ada' },
      action: {
        value: 'what',
        summary: 'Only actions that begin like this, such as user. or user.disabled',
      },
      before: {
        value: 'number',
        summary: 'Only entries before this number, the last of the previous list',
      },
      limit: { value: 'count', summary: 'The maximum number of entries; 100 by default' },
    },
    route: listAuditEntries,
    request: ({ actor, subject, action, before, limit }) => ({
      query: { actor, subject, action, before, limit },
    }),
    print: ({ entries, hasMore }) => {
      if (entries.length === 0) return 'There are no entries.'
      const listed = table(
        ['WHEN (UTC)', 'WHO', 'WHAT', 'WHOM', 'HOW IT ENDED', 'NUMBER', 'DETAILS'],
        entries.map(({ number, at, actor, action, subject, outcome, code, details }) => [
          printTime(at),
          actor,
          action,
          subject ?? '–',
          code === null ? outcome : `${outcome}: ${code}`,
          String(number),
          Object.entries(details ?? {})
            .map(([name, value]) => `${name}=${value}`)
            .join(' '),
        ]),
      )
      return hasMore ? `${listed}\n\nThere is more: add --before ${entries.at(-1)?.number}` : listed
    },
  }),
]
