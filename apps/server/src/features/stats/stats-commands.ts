import { getStats } from '@astropelago/contract/operator'
import { routeCommand } from '../../admin/command.ts'
import { fieldList } from '../../admin/table.ts'

export const statsCommands = [
  routeCommand({
    words: 'stats',
    summary: 'Tells how much there is of everything',
    route: getStats,
    request: () => ({}),
    print: ({ figures, server }) =>
      fieldList({
        ...Object.fromEntries(
          figures.map(({ label, value }) => [label, value.toLocaleString('en')]),
        ),
        Version: server.version,
        'Bytes of the database': server.databaseBytes.toLocaleString('en'),
        'Last daily backup': server.makesBackups
          ? (server.lastBackupAt ?? 'none yet')
          : 'BACKUP_DIR is not set',
      }),
  }),
]
