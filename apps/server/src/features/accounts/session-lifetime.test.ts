import { expect, test } from 'vitest'
import { isSessionAlive } from './session-lifetime.ts'

const dayMs = 86_400_000
const nowMs = Date.UTC(2026, 5, 1)

test.each([
  ['just made', 0, 0, true],
  ['used a moment less than 14 days ago', 20 * dayMs, 14 * dayMs - 1, true],
  ['last used 14 days ago', 20 * dayMs, 14 * dayMs, false],
  ['made a moment less than 90 days ago and in use', 90 * dayMs - 1, 0, true],
  ['made 90 days ago, in use all the time', 90 * dayMs, 0, false],
])('S13 a session %s', (_, ageMs, idleMs, isAlive) => {
  const session = { createdMs: nowMs - ageMs, lastUsedMs: nowMs - idleMs }
  expect(isSessionAlive(session, nowMs)).toBe(isAlive)
})
