import { SignedStatement, wellKnownPath } from '@astropelago/contract/neighbour-directory'
import type { Follower } from '@astropelago/contract/operator-neighbours'
import * as v from 'valibot'
import type { Clock } from '../../../clock.ts'
import { dayMs } from '../../../history/time-spans.ts'
import { isoTime } from '../../../iso-time.ts'
import type { Outgoing } from '../../../outgoing/outgoing.ts'
import type { Schedule } from '../../../schedule.ts'
import { importKey, readStatement, StatementRefused } from '../statements.ts'
import type { Following } from './follow-requests.ts'
import type { FollowersStore } from './followers-store.ts'

const followersMax = 200
/** One is asked each time, so 20 in an hour. */
const askMs = 3 * 60_000
const noteMs = 60_000
const documentMaxBytes = 64 * 1024

interface FollowersParts {
  readonly store: FollowersStore
  readonly outgoing: Pick<Outgoing, 'read'>
  readonly clock: Clock
  readonly schedule: Pick<Schedule, 'every' | 'everyOnLeader'>
  /** Those whose streams are open on this server. */
  readonly connected: () => Iterable<Following>
}

/** Who follows this installation, and whether their addresses say so too ([F5]). */
export function followers({ store, outgoing, clock, schedule, connected }: FollowersParts) {
  const note = (follower: Following) => store.note(follower, clock(), followersMax)
  schedule.every(noteMs, 'followers were not noted', async () => {
    for (const follower of connected()) await note(follower)
  })
  const askOne = async () => {
    const follower = await store.findUnasked(clock() - dayMs)
    if (follower === undefined) return
    const url = `${follower.address}${wellKnownPath}`
    const outcome = await outgoing.read({ url, maxBytes: documentMaxBytes })
    const isVerified = outcome.kind === 'read' ? isSaidBy(follower, outcome.text) : undefined
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

/** Whether this is what the address says of itself, signed by the follower's key. */
function isSaidBy({ address, key }: Following, text: string): boolean {
  try {
    const statement = v.parse(v.pipe(v.string(), v.parseJson(), SignedStatement), text)
    const { kind, from } = readStatement(statement, importKey(key))
    return kind === 'about' && from === address
  } catch (error) {
    if (error instanceof StatementRefused || error instanceof v.ValiError) return false
    throw error
  }
}
