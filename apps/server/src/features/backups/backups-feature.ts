import { dayMs } from '../../history/time-spans.ts'
import { once } from 'node:events'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'

const daysKept = 7
const weeksKept = 5
/** How late a backup may be; also how soon one that failed is tried again. */
const checkMs = 10 * 60_000

type BackupsConfig = Pick<Config, 'backupDir' | 'dataDir' | 'databaseUrl'>

interface BackupsBase extends Pick<FeatureBase, 'clock' | 'schedule' | 'metrics' | 'log'> {
  readonly cluster: Pick<FeatureBase['cluster'], 'leads'>
}

/** Makes a backup a day, if BACKUP_DIR is set. Of several servers the leader makes it. */
export function backupsFeature(
  { cluster, clock, schedule, metrics, log }: BackupsBase,
  { backupDir, dataDir, databaseUrl }: BackupsConfig,
) {
  const newestMs = async () => {
    if (backupDir === undefined) return undefined
    return backupsOf(await namesIn(backupDir))[0]?.atMs
  }
  let cachedMs: number | undefined
  const makeIfDue = async (signal: AbortSignal) => {
    if (backupDir === undefined) return
    cachedMs = await newestMs()
    if (!cluster.leads() || clock() - (cachedMs ?? 0) < dayMs) return
    await mkdir(backupDir, { recursive: true, mode: 0o700 })
    const file = join(backupDir, backupName(clock()))
    const bytes = await backUpOnThread({ dataDir, databaseUrl, file }, signal)
    if (signal.aborted) return
    log.info({ file, bytes }, 'backup made')
    cachedMs = await newestMs()
    for (const name of surplusBackups(await namesIn(backupDir))) await rm(join(backupDir, name))
  }
  if (backupDir !== undefined) {
    schedule.every(checkMs, 'the daily backup failed; it is tried again', makeIfDue)
    metrics.gauge({
      name: 'astropelago_backup_age_seconds',
      help: 'Since the last backup that this server makes by itself; none before the first',
      labels: [],
      read: () =>
        cachedMs === undefined
          ? []
          : [{ labels: {}, value: Math.round((clock() - cachedMs) / 1000) }],
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
    // The worker deletes an unfinished file when the server stops.
    if (signal.aborted) return undefined
    throw error
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Other files in the folder belong to somebody else. Times are UTC. */
const namePattern = /^astropelago-(\d{4}-\d\d-\d\d)T(\d\d)(\d\d)Z\.sqlite$/

export function backupName(atMs: number): string {
  const [day = '', time = ''] = new Date(atMs).toISOString().split('T')
  return `astropelago-${day}T${time.slice(0, 5).replace(':', '')}Z.sqlite`
}

export function backupTimeMs(name: string): number | undefined {
  const [, day, hour, minute] = namePattern.exec(name) ?? []
  return day === undefined ? undefined : Date.parse(`${day}T${hour}:${minute}:00Z`)
}

/** All but the newest of each of the 7 latest days and the 5 latest weeks that have a backup. */
export function surplusBackups(names: readonly string[]): readonly string[] {
  const backups = backupsOf(names)
  const newestOfEach = (count: number, spanMs: number) => {
    const bySpan = Map.groupBy(backups, ({ atMs }) => Math.floor(atMs / spanMs))
    return [...bySpan.values()].slice(0, count).map(([newest]) => newest)
  }
  const kept = new Set([...newestOfEach(daysKept, dayMs), ...newestOfEach(weeksKept, 7 * dayMs)])
  return backups.flatMap((backup) => (kept.has(backup) ? [] : [backup.name]))
}

/** Newest first. */
function backupsOf(names: readonly string[]) {
  return names
    .flatMap((name) => {
      const atMs = backupTimeMs(name)
      return atMs === undefined ? [] : [{ name, atMs }]
    })
    .toSorted((one, other) => other.atMs - one.atMs)
}
