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
/** A judgement walks through all sites, and while most of them fail each look asks for it. */
const judgeEveryMs = 1000
const sitesMin = 5
/** A site that fails for longer is down: what hides this much from a server is its own network. */
const failsAtOnceMs = 600_000
/** Longer than the longest period. */
const forgetMs = 25 * 3_600_000

interface Site {
  readonly userKey: number
  readonly name: string
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
  /** Each user's, in the order of their last look. */
  const sites = new Map<string, Site>()
  let judged = { atMs: Number.NEGATIVE_INFINITY, failMostly: false }
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

  const judge = (nowMs: number): boolean => {
    const failing = { sites: new Map<string, boolean>(), users: new Map<number, boolean[]>() }
    for (const { userKey, name, lookedMs, failsSinceMs } of sites.values()) {
      if (lookedMs < nowMs - recentMs) continue
      if (failsSinceMs !== null && failsSinceMs < nowMs - failsAtOnceMs) continue
      const isFailing = failsSinceMs !== null
      // A site that answers anybody is seen.
      failing.sites.set(name, isFailing && failing.sites.get(name) !== false)
      const ofUser = failing.users.get(userKey)
      if (ofUser === undefined) failing.users.set(userKey, [isFailing])
      else ofUser.push(isFailing)
    }
    // Otherwise one user with many sites that fail would hide the outages of everybody else's.
    const users = failing.users.values().map(isMostly)
    return failing.sites.size >= sitesMin && isMostly(failing.sites.values()) && isMostly(users)
  }

  const failMostly = (nowMs: number): boolean => {
    if (Math.abs(nowMs - judged.atMs) >= judgeEveryMs) {
      judged = { atMs: nowMs, failMostly: judge(nowMs) }
    }
    return judged.failMostly
  }

  return {
    note: (
      { userKey, target }: { readonly userKey: number; readonly target: ProbedTarget },
      {
        isUp,
        wasDown,
      }: {
        readonly isUp: boolean
        /** Whether the check was down before. Its failure is no news. */
        readonly wasDown: boolean
      },
    ): void => {
      const nowMs = clock()
      const name = siteOf(target)
      const site = `${userKey} ${name}`
      const before = sites.get(site)?.failsSinceMs ?? (wasDown ? Number.NEGATIVE_INFINITY : nowMs)
      sites.delete(site)
      sites.set(site, { userKey, name, lookedMs: nowMs, failsSinceMs: isUp ? null : before })
      for (const [oldest, { lookedMs }] of sites) {
        if (lookedMs >= nowMs - forgetMs) break
        sites.delete(oldest)
      }
    },
    /** Asks control targets, at most once in 20 seconds, and judges sites once a second. Call it when a look failed. */
    isClear: async (): Promise<boolean> => {
      const nowMs = clock()
      return !failMostly(nowMs) && (await reachesControls(nowMs))
    },
  }
}

function isMostly(outcomes: Iterable<boolean>): boolean {
  const all = [...outcomes]
  return all.filter(Boolean).length * 2 > all.length
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
