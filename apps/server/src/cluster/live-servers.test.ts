import { expect, test } from 'vitest'
import { silentAfterMs } from '../storage/postgres-instance.ts'
import { createLiveServers } from './live-servers.ts'

test('a server lives until it has been silent for long or has ended, and changes are published', () => {
  const live = createLiveServers(1)
  let changes = 0
  live.onChange(() => (changes += 1))
  const silence = { silent_from_ms: null, silent_to_ms: null }
  const update = (nowMs: number, is_running = true) => {
    const other = { writer: 2, number: 0, alive_ms: 0, is_running, ...silence }
    live.update({
      writers: [{ ...other, writer: 1, alive_ms: nowMs, is_running: true }, other],
      feedNumber: 0,
      nowMs,
    })
    return [live.has(2), live.count(), changes]
  }
  expect(update(0)).toEqual([true, 2, 1])
  expect(update(silentAfterMs)).toEqual([true, 2, 1])
  expect(update(silentAfterMs + 1)).toEqual([false, 1, 2])
  expect(update(0)).toEqual([true, 2, 3])
  expect(update(0, false)).toEqual([false, 1, 4])
})
