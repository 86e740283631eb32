import { getStats, type Figure, type ServerHealth } from '@astropelago/contract/operator'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { databaseBytes, type Storage } from '../../storage/storage.ts'
import { version } from '../../version.ts'

interface StatsParts {
  readonly config: Pick<Config, 'dataDir'>
  readonly mail: { readonly mailer: Pick<Mailer, 'canSend' | 'health'> }
  readonly backups: {
    readonly makesBackups: boolean
    readonly newestMs: () => Promise<number | undefined>
  }
  /** In the order of display. */
  readonly counted: readonly { readonly figures: () => Promise<readonly Figure[]> }[]
}

export function statsFeature(
  { storage, cluster }: Pick<FeatureBase, 'storage' | 'cluster'>,
  { config, mail: { mailer }, backups, counted }: StatsParts,
) {
  const readServer = async () => {
    const { lastSentMs, failure } = mailer.health()
    return {
      version,
      databaseBytes: await databaseBytes(storage, config.dataDir),
      makesBackups: backups.makesBackups,
      lastBackupAt: isoTime((await backups.newestMs()) ?? null),
      health: {
        storage: await storageHealth(storage),
        mail: {
          isOn: mailer.canSend,
          lastSentAt: isoTime(lastSentMs ?? null),
          failure: failure ? { at: isoTime(failure.atMs), reason: failure.reason } : null,
        },
        cluster: {
          size: cluster.size(),
          leads: cluster.leads(),
          behindMs: Math.round(cluster.behindMs()),
        },
      },
    }
  }
  return {
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      serve(app, getStats, async () => {
        const all: Figure[] = []
        // One after the other: on a large database each takes a while, and other reads wait meanwhile.
        for (const { figures } of counted) all.push(...(await figures()))
        return { status: 200, body: { figures: all, server: await readServer() } }
      }),
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
