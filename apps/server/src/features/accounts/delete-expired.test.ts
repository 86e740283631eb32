import { expect, test } from 'vitest'
import { accountsTestDeps } from './testing/accounts-test-deps.ts'
import { deleteExpired } from './delete-expired.ts'
import { hashSessionToken } from './session-token.ts'
import { registerUser } from './register-user.ts'
import { signInDemo } from './sign-in-demo.ts'

const dayMs = 86_400_000

async function deps() {
  const announced: number[] = []
  const beforeUserDeleted = async (userKey: number) => {
    announced.push(userKey)
  }
  return { ...(await accountsTestDeps()), announced, beforeUserDeleted }
}

test('S9 demo users are deleted after 24 hours, each announced before', async () => {
  const { announced, move, ...rest } = await deps()
  const { user } = await signInDemo(rest, undefined)
  move(1)
  const later = await signInDemo(rest, undefined)
  move(dayMs - 1)

  expect(await deleteExpired(rest)).toEqual({ sessions: 0, users: 1 })
  expect(announced).toEqual([user.key])
  expect(await rest.store.findUser(user.username)).toBeUndefined()
  expect(await rest.store.findUser(later.user.username)).toEqual(later.user)
})

test('more demo users than are read at once are all deleted', async () => {
  const { announced, move, ...rest } = await deps()
  for (let time = 0; time < 101; time += 1) await signInDemo(rest, undefined)
  move(dayMs)
  expect(await deleteExpired(rest)).toMatchObject({ users: 101 })
  expect(new Set(announced).size).toBe(101)
})

test('S13 sessions that are over are deleted, their users stay', async () => {
  const { announced, move, ...rest } = await deps()
  const credentials = { username: 'nova', password: 'correct horse' }
  const { token } = await registerUser(rest, credentials, undefined)
  move(14 * dayMs - 1)
  expect(await deleteExpired(rest)).toEqual({ sessions: 0, users: 0 })
  move(1)
  expect(await deleteExpired(rest)).toEqual({ sessions: 1, users: 0 })
  expect(await rest.store.findSession(hashSessionToken(token))).toBeUndefined()
  expect(await rest.store.findUser('nova')).toBeDefined()
  expect(announced).toEqual([])
})
