import type { Follower } from '@astropelago/contract/operator-neighbours'
import type { Clock } from '../../../clock.ts'
import { dayMs } from '../../../history/time-spans.ts'
import { isoTime } from '../../../iso-time.ts'
import type { Schedule } from '../../../schedule.ts'
import { InstallationUnreachable, type ReadAbout } from '../read-about.ts'
import { StatementRefused } from '../statements.ts'
import type { FollowerIdentity } from './follow-requests.ts'
import type { FollowersStore } from './followers-store.ts'

const followersMax = 200
/** One is asked each time, so 20 in an hour. */
const askMs = 3 * 60_000
const noteMs = 60_000

interface FollowersParts {
  readonly store: FollowersStore
  readonly readAbout: ReadAbout
  readonly clock: Clock
  readonly schedule: Pick<Schedule, 'every' | 'everyOnLeader'>
  /** Those whose streams are open on this server. */
  readonly connected: () => Iterable<FollowerIdentity>
}

/** Who follows this installation, and whether their addresses say so too ([F5]). */
export function followers({ store, readAbout, clock, schedule, connected }: FollowersParts) {
  const note = (follower: FollowerIdentity) => store.note(follower, clock(), followersMax)
  schedule.every(noteMs, 'followers were not noted', async () => {
    for (const follower of connected()) await note(follower)
  })
  /** Undefined if nobody usable answers at its address. */
  const hasKey = async ({ address, key }: FollowerIdentity): Promise<boolean | undefined> => {
    try {
      return (await readAbout(address)).key === key
    } catch (error) {
      if (error instanceof InstallationUnreachable) return undefined
      if (error instanceof StatementRefused) return false
      throw error
    }
  }
  const askOne = async () => {
    const follower = await store.findUnasked(clock() - dayMs)
    if (follower === undefined) return
    const isVerified = await hasKey(follower)
    await store.recordAnswer(follower, isVerified, clock())
  }
  schedule.everyOnLeader(askMs, 'a follower was not asked who it is', askOne)
  return {
    note,
    askOne,
    list: async (): Promise<Follower[]> => {
      const nowMs = clock()
      return (await store.list()).map(({ address, isVerified, firstMs, lastMs }) => ({
        address,
        isVerified,
        // Other servers of this installation hold connections too.
        isConnected: lastMs > nowMs - 2 * noteMs,
        firstAt: isoTime(firstMs),
        lastAt: isoTime(lastMs),
      }))
    },
  }
}
