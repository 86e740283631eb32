import { listAuditEntries } from '@astropelago/contract/audit'
import { routeCommand } from '../../admin/command.ts'
import { printTime, table } from '../../admin/table.ts'

export const auditCommands = [
  routeCommand({
    words: 'audit',
    summary: 'Lists who did what, the latest first',
    options: {
      actor: { value: 'who', summary: 'What this one did, such as user:ada or operator:console' },
      subject: { value: 'whom', summary: 'What was done to this one, such as user:ada' },
      action: { value: 'what', summary: 'What begins like this, such as user. or user.disabled' },
      before: { value: 'number', summary: 'What is older, as the list before ended with' },
      limit: { value: 'count', summary: 'At most so many; 100 without it' },
    },
    route: listAuditEntries,
    request: ({ actor, subject, action, before, limit }) => ({
      query: { actor, subject, action, before, limit },
    }),
    print: ({ entries, hasMore }) => {
      if (entries.length === 0) return 'There is nothing.'
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
