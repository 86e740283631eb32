import { getStats, type Figure, type ServerHealth } from '@astropelago/contract/operator'
import type { AnswerBody } from '@astropelago/contract/route'
import type { FastifyInstance } from 'fastify'
import type { Cluster } from '../../cluster/cluster.ts'
import type { Config } from '../../config.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { databaseBytes } from '../../storage/database-bytes.ts'
import type { Storage } from '../../storage/storage.ts'
import { version } from '../../version.ts'

type ServerFacts = AnswerBody<typeof getStats>['server']

/** How much there is of everything, as counted by each feature. */
export async function statsRoutes(
  app: FastifyInstance,
  {
    serve,
    figures,
    readServer,
  }: {
    readonly serve: Serve
    /** Of each feature, in the order of display. */
    readonly figures: readonly (() => Promise<readonly Figure[]>)[]
    readonly readServer: () => Promise<ServerFacts>
  },
) {
  serve(app, getStats, async () => {
    const counted: Figure[] = []
    // One after the other: on a large database each takes a while, and other reads wait meanwhile.
    for (const count of figures) counted.push(...(await count()))
    return { status: 200, body: { figures: counted, server: await readServer() } }
  })
}

/** What operators see of the server itself. */
export async function readServerFacts({
  storage,
  config,
  cluster,
  mailer,
  backups,
}: {
  readonly storage: Storage
  readonly config: Pick<Config, 'dataDir'>
  readonly cluster: Pick<Cluster, 'size' | 'leads' | 'behindMs'>
  readonly mailer: Pick<Mailer, 'canSend' | 'health'>
  readonly backups: {
    readonly makesBackups: boolean
    readonly newestMs: () => Promise<number | undefined>
  }
}): Promise<ServerFacts> {
  const newestMs = await backups.newestMs()
  const { lastSentMs, failure } = mailer.health()
  return {
    version,
    databaseBytes: await databaseBytes(storage, config.dataDir),
    makesBackups: backups.makesBackups,
    lastBackupAt: toIso(newestMs),
    health: {
      storage: await storageHealth(storage),
      mail: {
        isOn: mailer.canSend,
        lastSentAt: toIso(lastSentMs),
        failure:
          failure === undefined
            ? null
            : { at: new Date(failure.atMs).toISOString(), reason: failure.reason },
      },
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

function toIso(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString()
}
