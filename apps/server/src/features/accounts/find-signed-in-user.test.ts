import { expect, test, vi } from 'vitest'
import { accountsTestDeps } from './testing/accounts-test-deps.ts'
import { findSignedInUser, isSessionAlive } from './find-signed-in-user.ts'
import { hashToken, makeToken } from '../../secret-token.ts'
import { signInDemo } from './sign-in.ts'
import { startSession } from './start-session.ts'
import { registerUser } from './register-user.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

async function signedIn() {
  const deps = await accountsTestDeps()
  const credentials = { username: 'nova', password: 'correct horse' }
  const { user, token } = await registerUser(deps, credentials, undefined)
  return { ...deps, user, token, find: () => findSignedInUser(deps, token) }
}

test('a token finds its user, and another token nobody', async () => {
  const { user, find, ...deps } = await signedIn()
  expect(await find()).toEqual(user)
  expect(await findSignedInUser(deps, makeToken())).toBeUndefined()
})

test('S57 a session that started while its user was being turned off finds nobody', async () => {
  const { user, ...deps } = await signedIn()
  await deps.store.setDisabled(user.key, deps.clock())
  const late = await startSession(deps, user.key, undefined)
  expect(await findSignedInUser(deps, late)).toBeUndefined()
})

test('S13 a session ends after 14 days without use', async () => {
  const { move, find } = await signedIn()
  move(14 * dayMs)
  expect(await find()).toBeUndefined()
})

test('S13 use keeps a session alive, but never longer than 90 days', async () => {
  const { move, find } = await signedIn()
  for (let day = 0; day < 89; day += 1) {
    move(dayMs)
    expect(await find()).toBeDefined()
  }
  move(dayMs)
  expect(await find()).toBeUndefined()
})

test('a use is recorded at most once an hour', async () => {
  const { move, find, store } = await signedIn()
  const recordUse = vi.spyOn(store, 'recordSessionUse')
  move(hourMs - 1)
  await find()
  expect(recordUse).toHaveBeenCalledTimes(0)
  move(1)
  await find()
  await find()
  expect(recordUse).toHaveBeenCalledTimes(1)
})

test('S9 a demo user is signed out after 24 hours, before anything deletes it', async () => {
  const { move, ...deps } = await accountsTestDeps()
  const { user, token } = await signInDemo(deps, undefined)
  move(dayMs - 1)
  expect(await findSignedInUser(deps, token)).toEqual(user)
  move(1)
  expect(await findSignedInUser(deps, token)).toBeUndefined()
})

test('S14 a token is worth nothing after signing out, and other sessions go on', async () => {
  const deps = await accountsTestDeps()
  const { user, token } = await signInDemo(deps, undefined)
  const other = await signInDemo(deps, undefined)
  expect(await deps.store.endSession(hashToken(token))).toMatchObject({ userKey: user.key })
  expect(await findSignedInUser(deps, token)).toBeUndefined()
  expect(await findSignedInUser(deps, other.token)).toEqual(other.user)
})

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
