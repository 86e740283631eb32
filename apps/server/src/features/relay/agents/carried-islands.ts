import { setTimeout as wait } from 'node:timers/promises'
import { DomainError } from '../../../domain-error.ts'
import type { RelayedIsland, RelayedIslands } from '../relayed-islands.ts'

/** An operator may have started the relay again by then. */
const stoppedRetryAfterS = 300

/**
 * Changes on this or another server are known within this time. A refusal ends the agent, so wait for them.
 */
const knownWithinMs = 1000
const lookAgainMs = 100

/**
 * The islands that an agent carries: the one that it names, or all of its device. Islands that an operator
 * has stopped are left out.
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
