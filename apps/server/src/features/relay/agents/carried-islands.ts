import { setTimeout as wait } from 'node:timers/promises'
import { DomainError } from '../../../domain-error.ts'
import type { RelayedIsland, RelayedIslands } from '../relayed-islands.ts'

/** An agent asks again after so long: an operator may think otherwise by then. */
const stoppedRetryAfterS = 300

/** What a host has just changed, here or on another server, is known within so long: a refusal ends the agent. */
const knownWithinMs = 1000
const lookAgainMs = 100

/**
 * The islands that an agent carries: the one that it names, or all of its device, without those that an
 * operator has stopped.
 * @throws DomainError `no_relayed_island`, `relay_stopped`
 */
export async function carriedIslands(
  islands: Pick<RelayedIslands, 'carriedBy'>,
  deviceKey: number,
  slugOrId: string | undefined,
): Promise<readonly RelayedIsland[]> {
  const wanted = slugOrId?.toLowerCase()
  const find = () =>
    islands
      .carriedBy(deviceKey)
      .filter(({ slug, id }) => wanted === undefined || slug === wanted || id === wanted)
  let carried = find()
  for (
    let waitedMs = 0;
    carried.length === 0 && waitedMs < knownWithinMs;
    waitedMs += lookAgainMs
  ) {
    await wait(lookAgainMs)
    carried = find()
  }
  if (carried.length === 0) throw new DomainError('no_relayed_island')
  const running = carried.filter(({ isStopped }) => !isStopped)
  if (running.length === 0) {
    throw new DomainError('relay_stopped', { retryAfterS: stoppedRetryAfterS })
  }
  return running
}
