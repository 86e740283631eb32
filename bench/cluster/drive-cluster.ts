import { setTimeout as wait } from 'node:timers/promises'
import { driveLoad } from '../server/drive-load.ts'
import { median } from '../median.ts'
import type { ServerProcess } from '../server/server-process.ts'

const rounds = 5
/** Rounds for the servers' compilers to warm up. */
const warmUps = 2
const turnS = 2
/** Wait after a turn, because the other servers' reading is a part of its cost. */
const settleMs = 500

export interface ClusterTarget {
  readonly servers: readonly { readonly server: ServerProcess; readonly requests: string }[]
  /** The total for all servers. */
  readonly connections: number
  /** For a database with processes of its own. */
  readonly databaseCpuMs?: () => number
}

export interface ClusterLoad {
  readonly perSecond: number
  readonly p99Ms: number
  /** Processor time of a request in each server and in the database. */
  readonly serverUs: readonly number[]
  readonly databaseUs: number
  /** Requests per second of the servers' processor time. */
  readonly perCpuSecond: number
}

/**
 * Drives targets in short turns, one after the other, so that other work on the machine affects all of them
 * alike.
 * @returns the median of each figure over a target's turns
 */
export async function takeClusterTurns<Key>(
  targets: ReadonlyMap<Key, ClusterTarget>,
): Promise<(key: Key) => ClusterLoad> {
  const turns = new Map([...targets.keys()].map((key) => [key, [] as ClusterLoad[]]))
  for (let round = 0; round < warmUps + rounds; round += 1) {
    for (const [key, target] of targets) {
      const load = await driveServers(target)
      if (round >= warmUps) turns.get(key)?.push(load)
    }
  }
  return (key) => medianLoad(turns.get(key) ?? [])
}

/** Runs one wrk per server, all at the same time. */
async function driveServers(target: ClusterTarget): Promise<ClusterLoad> {
  const { servers, connections: all, databaseCpuMs = () => 0 } = target
  const connections = Math.floor(all / servers.length)
  const cpuMs = () => servers.map(({ server }) => server.cpuMs())
  const [before, databaseBefore] = [cpuMs(), databaseCpuMs()]
  const loads = await Promise.all(
    servers.map(({ server, requests }) => driveLoad({ server, requests, connections }, turnS)),
  )
  await wait(settleMs)
  const [after, databaseAfter] = [cpuMs(), databaseCpuMs()]
  const perSecond = loads.reduce((sum, load) => sum + load.perSecond, 0)
  const count = loads.reduce((sum, load) => sum + load.count, 0)
  const tookMs = after.map((ms, at) => ms - (before[at] ?? 0))
  return {
    perSecond,
    p99Ms: Math.max(...loads.map(({ p99Ms }) => p99Ms)),
    serverUs: tookMs.map((ms) => (ms * 1000) / count),
    databaseUs: ((databaseAfter - databaseBefore) * 1000) / count,
    perCpuSecond: (count * 1000) / tookMs.reduce((sum, ms) => sum + ms, 0),
  }
}

function medianLoad(loads: readonly ClusterLoad[]): ClusterLoad {
  const of = (figure: (load: ClusterLoad) => number) => median(loads.map(figure))
  return {
    perSecond: of(({ perSecond }) => perSecond),
    p99Ms: of(({ p99Ms }) => p99Ms),
    serverUs: (loads[0]?.serverUs ?? []).map((_, at) => of(({ serverUs }) => serverUs[at] ?? 0)),
    databaseUs: of(({ databaseUs }) => databaseUs),
    perCpuSecond: of(({ perCpuSecond }) => perCpuSecond),
  }
}
