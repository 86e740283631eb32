import { connect } from 'node:net'
import type { CheckTarget } from '@astropelago/contract/checks'
import type { Clock } from '../../../clock.ts'
import { whenOpen } from '../../../outgoing/probes/probe-connection.ts'
import type { ProbedTarget } from '../probe.ts'

export interface ControlTarget {
  readonly host: string
  readonly port: number
}

const askEveryMs = 20_000
const controlTimeoutMs = 3000
const recentMs = 120_000
const sitesMin = 5
/** A site that fails for longer is down: what hides this much from a server is its own network. */
const failsAtOnceMs = 600_000
/** Longer than the longest period. */
const forgetMs = 25 * 3_600_000

interface Site {
  readonly userKey: number
  readonly lookedMs: number
  /** Since when it fails; null while it answers. */
  readonly failsSinceMs: number | null
}

export type Sight = ReturnType<typeof createSight>

/** Whether failures tell about targets, or about this server's own network ([C5]). */
export function createSight({
  controls,
  clock,
  reaches = connects,
}: {
  /** What the operator takes for always reachable. */
  readonly controls: readonly ControlTarget[]
  readonly clock: Clock
  readonly reaches?: (target: ControlTarget) => Promise<boolean>
}) {
  /** In the order of their last look. */
  const sites = new Map<string, Site>()
  let asked: { readonly atMs: number; readonly answer: Promise<boolean> } | undefined

  const reachesControls = (nowMs: number): Promise<boolean> => {
    if (controls.length === 0) return Promise.resolve(true)
    if (asked === undefined || nowMs - asked.atMs >= askEveryMs) {
      const answers = controls.map((control) => reaches(control))
      asked = {
        atMs: nowMs,
        answer: Promise.all(answers).then((reached) => reached.includes(true)),
      }
    }
    return asked.answer
  }

  /** Each other user counts as one site, so that nobody hides others' outages by checks that fail. */
  const failMostly = (userKey: number, nowMs: number): boolean => {
    const users = new Map<number, { all: number; failing: number }>()
    for (const { userKey: ownerKey, lookedMs, failsSinceMs } of sites.values()) {
      if (lookedMs < nowMs - recentMs) continue
      if (failsSinceMs !== null && failsSinceMs < nowMs - failsAtOnceMs) continue
      const user = users.get(ownerKey) ?? { all: 0, failing: 0 }
      users.set(ownerKey, user)
      user.all += 1
      if (failsSinceMs !== null) user.failing += 1
    }
    const own = users.get(userKey) ?? { all: 0, failing: 0 }
    users.delete(userKey)
    const others = users.values().reduce((sum, { all, failing }) => sum + failing / all, 0)
    const all = own.all + users.size
    return all >= sitesMin && (own.failing + others) * 2 > all
  }

  return {
    note: (
      target: ProbedTarget,
      {
        userKey,
        isUp,
        wasDown,
      }: {
        /** Whose check it is. */
        readonly userKey: number
        readonly isUp: boolean
        /** Whether the check was down before. Its failure is no news. */
        readonly wasDown: boolean
      },
    ): void => {
      const nowMs = clock()
      const site = `${userKey} ${siteOf(target)}`
      const before = sites.get(site)?.failsSinceMs ?? (wasDown ? Number.NEGATIVE_INFINITY : nowMs)
      sites.delete(site)
      sites.set(site, { userKey, lookedMs: nowMs, failsSinceMs: isUp ? null : before })
      for (const [oldest, { lookedMs }] of sites) {
        if (lookedMs >= nowMs - forgetMs) break
        sites.delete(oldest)
      }
    },
    /** Asks control targets, at most once in 20 seconds. Call it when a look at a user's check failed. */
    isClear: async (userKey: number): Promise<boolean> => {
      const nowMs = clock()
      return !failMostly(userKey, nowMs) && (await reachesControls(nowMs))
    },
  }
}

/**
 * What is down together when one machine is, at a guess: an address, or a domain with all names below it.
 * Counting checks instead would hide the outage of a home with five of them.
 */
function siteOf(target: ProbedTarget): string {
  const host = hostOf(target)
  return /^[\d.]+$|:/.test(host) ? host : host.split('.').slice(-2).join('.')
}

function hostOf(target: Exclude<CheckTarget, { kind: 'push' }>): string {
  return target.kind === 'http' ? new URL(target.url).hostname : target.host.replace(/\.$/, '')
}

async function connects({ host, port }: ControlTarget): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(controlTimeoutMs)
    await whenOpen(connect({ host, port }), { event: 'connect', signal })
    return true
  } catch {
    return false
  }
}
