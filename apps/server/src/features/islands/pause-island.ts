import { pauseEndProblem, type NewPause } from '@astropelago/contract/islands'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import { findHostedIsland } from './find-island.ts'
import { pauseAt } from './island-pause.ts'
import type { ChangedIsland, IslandsStore, IslandUpdate } from './islands-store.ts'

interface PauseIslandDeps {
  readonly store: Pick<IslandsStore, 'findById' | 'update'>
  readonly clock: Clock
}

/**
 * Lets nobody but the host into an island. If it is paused already, the pause goes on with the new text and
 * end.
 * @throws DomainError `not_found`, `invalid_island`
 */
export async function pauseIsland(
  { store, clock }: PauseIslandDeps,
  userKey: number,
  id: string,
  { text, until }: NewPause,
): Promise<ChangedIsland> {
  const { island } = await findHostedIsland(store, userKey, id)
  const nowMs = clock()
  const untilMs = until === null ? null : Date.parse(until)
  const problem = untilMs === null ? undefined : pauseEndProblem(untilMs, nowMs)
  if (problem !== undefined) throw new DomainError('invalid_island', { fields: { until: problem } })
  const fromMs = pauseAt(island.pause, nowMs)?.fromMs ?? nowMs
  return await change(store, userKey, id, { pause: { fromMs, untilMs, text } })
}

/** @throws DomainError `not_found` */
export async function continueIsland(
  { store, clock }: PauseIslandDeps,
  userKey: number,
  id: string,
): Promise<ChangedIsland> {
  const { island } = await findHostedIsland(store, userKey, id)
  const nowMs = clock()
  const pause = pauseAt(island.pause, nowMs)
  if (pause === null) return { key: island.key, isChanged: false }
  return await change(store, userKey, id, { pause: { ...pause, untilMs: nowMs, text: '' } })
}

async function change(
  store: PauseIslandDeps['store'],
  userKey: number,
  id: string,
  changes: IslandUpdate,
): Promise<ChangedIsland> {
  const key = await store.update(userKey, id, changes)
  if (key === undefined) throw new DomainError('not_found')
  return { key, isChanged: true }
}
