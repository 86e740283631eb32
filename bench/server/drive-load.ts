import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findWrk } from '../../scripts/system-tools.ts'
import { median } from '../median.ts'
import type { ServerProcess } from './server-process.ts'

const script = join(import.meta.dirname, 'send-requests.lua')
const rounds = 15

export interface Target {
  readonly server: ServerProcess
  /** A file from `writeRequests`. */
  readonly requests: string
  readonly connections: number
}

/** The target of the load. For other programs, the processor time is unknown. */
interface Drive extends Omit<Target, 'server'> {
  readonly server?: ServerProcess | undefined
  readonly url?: string
}

export interface Load {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor time of a request on the server's main thread and on SQLite's. */
  readonly mainUs: number
  readonly sqliteUs: number
}

/** Writes complete requests, as sent, for wrk. */
export function writeRequests(folder: string, name: string, requests: readonly string[]): string {
  const file = join(folder, name)
  writeFileSync(file, requests.join('\0'))
  return file
}

/**
 * Drives targets in short turns, one after the other, so that other work on the machine affects all of them
 * alike. The first round is a warm-up and does not count.
 * @returns the median of each figure over a target's turns
 */
export async function takeTurns(targets: readonly Target[]): Promise<(target: Target) => Load> {
  const turns = new Map(targets.map((target) => [target, [] as Load[]]))
  for (let round = 0; round <= rounds; round += 1) {
    for (const [target, loads] of turns) {
      const load = await driveLoad(target)
      if (round > 0) loads.push(load)
    }
  }
  return (target) => medianLoad(turns.get(target) ?? [])
}

/**
 * Sends requests with wrk, one at a time per connection. A driver in Node took more of the machine than the
 * servers, so the ratio measured the driver.
 */
export async function driveLoad(
  { server, url = server?.url ?? '', requests, connections }: Drive,
  durationS = 1,
): Promise<Load & { readonly count: number }> {
  const load = ['--threads', '1', '--connections', `${connections}`, '--duration', `${durationS}`]
  const what = ['--script', script, url, '--', requests]
  const before = server?.threadCpuMs()
  const { stdout } = await promisify(execFile)(findWrk(), load.concat(what))
  const after = server?.threadCpuMs()
  const lastLine = stdout.trim().split('\n').at(-1) ?? ''
  const [count = 0, failed, tookMs = 0, p50Ms = 0, p99Ms = 0] = lastLine.split(' ').map(Number)
  if (failed !== 0) throw new Error(`requests failed: ${stdout}`)
  return {
    count,
    perSecond: (count * 1000) / tookMs,
    p50Ms,
    p99Ms,
    mainUs: (((after?.main ?? 0) - (before?.main ?? 0)) * 1000) / count,
    sqliteUs: (((after?.sqlite ?? 0) - (before?.sqlite ?? 0)) * 1000) / count,
  }
}

export function medianLoad(loads: readonly Load[]): Load {
  const of = (figure: (load: Load) => number) => median(loads.map(figure))
  return {
    perSecond: of(({ perSecond }) => perSecond),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    mainUs: of(({ mainUs }) => mainUs),
    sqliteUs: of(({ sqliteUs }) => sqliteUs),
  }
}
