import { once } from 'node:events'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import { backupName, backupTimeMs, surplusBackups } from './backup-retention.ts'

const dayMs = 86_400_000
/** How late a backup may be; also how soon one that failed is tried again. */
const checkMs = 10 * 60_000

type BackupsConfig = Pick<Config, 'backupDir' | 'dataDir' | 'databaseUrl'>

interface BackupsBase extends Pick<FeatureBase, 'clock' | 'schedule' | 'metrics' | 'log'> {
  readonly cluster: Pick<FeatureBase['cluster'], 'leads'>
}

/** A backup a day into a folder, where the settings name one. Of several servers the one that leads makes it. */
export function backupsFeature(
  { cluster, clock, schedule, metrics, log }: BackupsBase,
  { backupDir, dataDir, databaseUrl }: BackupsConfig,
) {
  const newestMs = async () => {
    if (backupDir === undefined) return undefined
    const times = (await namesIn(backupDir)).flatMap((name) => backupTimeMs(name) ?? [])
    return times.length === 0 ? undefined : Math.max(...times)
  }
  /** Of the last look, for who asks meanwhile. */
  let knownMs: number | undefined
  const makeIfDue = async (signal: AbortSignal) => {
    if (backupDir === undefined) return
    knownMs = await newestMs()
    if (!cluster.leads() || clock() - (knownMs ?? 0) < dayMs) return
    await mkdir(backupDir, { recursive: true, mode: 0o700 })
    const file = join(backupDir, backupName(clock()))
    const bytes = await backUpOnThread({ dataDir, databaseUrl, file }, signal)
    if (signal.aborted) return
    log.info({ file, bytes }, 'backup made')
    knownMs = await newestMs()
    for (const name of surplusBackups(await namesIn(backupDir))) await rm(join(backupDir, name))
  }
  if (backupDir !== undefined) {
    schedule.every(checkMs, 'the daily backup failed; it is tried again', makeIfDue)
    metrics.gauge({
      name: 'astropelago_backup_age_seconds',
      help: 'Since the last backup that this server makes by itself; none before the first',
      labels: [],
      read: () =>
        knownMs === undefined
          ? []
          : [{ labels: {}, value: Math.round((clock() - knownMs) / 1000) }],
    })
  }
  return { makesBackups: backupDir !== undefined, newestMs, makeIfDue }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** @returns how large it is */
async function backUpOnThread(
  workerData: Pick<BackupsConfig, 'dataDir' | 'databaseUrl'> & { readonly file: string },
  signal: AbortSignal,
): Promise<unknown> {
  const worker = new Worker(new URL('./backup-worker.ts', import.meta.url), {
    name: 'backup',
    workerData,
    env: {},
  })
  const stop = () => worker.postMessage('stop')
  signal.addEventListener('abort', stop)
  try {
    const ended = once(worker, 'exit')
    const [bytes]: unknown[] = await once(worker, 'message')
    await ended
    return bytes
  } catch (error) {
    // A server that ends needs none: what was begun is gone.
    if (signal.aborted) return undefined
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
