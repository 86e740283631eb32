import { getStats, type ServerHealth } from '@astropelago/contract/operator'
import { command } from '../../admin/command.ts'
import { count, fieldList, printUtc } from '../../admin/table.ts'

export const statsCommands = [
  command({
    words: 'stats',
    summary: 'Shows how much there is of everything, and how the server is',
    run: async ({ call }) => {
      const { figures, server } = await call(getStats, {})
      const counted = figures.map(({ label, value }) => [label, value.toLocaleString('en')])
      const lastBackup = server.makesBackups
        ? (server.lastBackupAt ?? 'none yet')
        : 'none are made: BACKUP_DIR is not set'
      return {
        text: fieldList({
          ...Object.fromEntries(counted),
          Version: server.version,
          'Size of the database': `${(server.databaseBytes / 1e6).toFixed(1)} MB`,
          'Last daily backup': lastBackup,
          Storage: storageText(server.health.storage),
          'E-mail': mailText(server.health.mail),
          Servers: clusterText(server.health.cluster),
        }),
        json: { ...Object.fromEntries(figures.map(({ name, value }) => [name, value])), server },
      }
    },
  }),
]

function storageText({ kind, answeredInMs, waiting, failures }: ServerHealth['storage']): string {
  const name = kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'
  return (
    `${name} answers in ${answeredInMs} ms, ${count(waiting, 'call')} waiting, ` +
    `${count(failures, 'failure')} since the start`
  )
}

function mailText({ isOn, lastSentAt, failure }: ServerHealth['mail']): string {
  if (!isOn) return 'none is sent: SMTP_URL is not set'
  if (failure !== null) return `failed at ${printUtc(failure.at)}: ${failure.reason}`
  return lastSentAt === null
    ? 'none was sent since the start'
    : `the last one was sent at ${printUtc(lastSentAt)}`
}

function clusterText({ size, leads, behindMs }: ServerHealth['cluster']): string {
  const leader = leads ? 'this one leads' : 'this one does not lead'
  return `${size}, ${leader}, ${behindMs} ms behind the others`
}
