import type { AnswerBody } from '@astropelago/contract/route'
import type { getStats, ServerHealth } from '@astropelago/contract/operator'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { databaseBytes } from '../../storage/storage.ts'
import type { Config } from '../../config.ts'
import type { Storage } from '../../storage/storage.ts'
import { version } from '../../version.ts'

interface ServerFactsOptions {
  readonly storage: Storage
  readonly config: Pick<Config, 'dataDir'>
  readonly cluster: Pick<Cluster, 'size' | 'leads' | 'behindMs'>
  readonly mailer: Pick<Mailer, 'canSend' | 'health'>
  readonly backups: {
    readonly makesBackups: boolean
    readonly newestMs: () => Promise<number | undefined>
  }
}

/** What operators see of the server itself. */
export async function readServerFacts({
  storage,
  config,
  cluster,
  mailer,
  backups,
}: ServerFactsOptions): Promise<AnswerBody<typeof getStats>['server']> {
  const newestMs = await backups.newestMs()
  return {
    version,
    databaseBytes: await databaseBytes(storage, config.dataDir),
    makesBackups: backups.makesBackups,
    lastBackupAt: toIso(newestMs),
    health: {
      storage: await storageHealth(storage),
      mail: mailHealth(mailer),
      cluster: {
        size: cluster.size(),
        leads: cluster.leads(),
        behindMs: Math.round(cluster.behindMs()),
      },
    },
  }
}

async function storageHealth({ kind, ping, load }: Storage): Promise<ServerHealth['storage']> {
  const startMs = performance.now()
  await ping()
  const answeredInMs = Math.round(performance.now() - startMs)
  const { writes, reads } = load.waiting()
  const { unavailable, busy } = load.failures.counts
  return { kind, answeredInMs, waiting: writes + reads, failures: unavailable + busy }
}

function mailHealth({ canSend, health }: ServerFactsOptions['mailer']): ServerHealth['mail'] {
  const { lastSentMs, failure } = health()
  return {
    isOn: canSend,
    lastSentAt: toIso(lastSentMs),
    failure:
      failure === undefined
        ? null
        : { at: new Date(failure.atMs).toISOString(), reason: failure.reason },
  }
}

function toIso(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}
