import { getStats } from '@astropelago/contract/operator'
import { command } from '../../admin/command.ts'
import { fieldList } from '../../admin/table.ts'

export const statsCommands = [
  command({
    words: 'stats',
    summary: 'Tells how much there is of everything, and how the server is',
    run: async ({ call }) => {
      const { figures, server } = await call(getStats, {})
      const counted = figures.map(
        ({ label, value }) => [label, value.toLocaleString('en')] as const,
      )
      const lastBackup = server.makesBackups
        ? (server.lastBackupAt ?? 'none yet')
        : 'none are made: BACKUP_DIR is not set'
      return {
        text: fieldList({
          ...Object.fromEntries(counted),
          Version: server.version,
          'Size of the database': `${(server.databaseBytes / 1e6).toFixed(1)} MB`,
          'Last daily backup': lastBackup,
        }),
        json: { ...Object.fromEntries(figures.map(({ name, value }) => [name, value])), server },
      }
    },
  }),
]
