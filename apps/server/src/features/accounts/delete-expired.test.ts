import { expect, test } from 'vitest'
import { insertDevice } from '../../test/factories.ts'
import { accountsTestDeps } from './testing/accounts-test-deps.ts'
import { deleteExpired } from './accounts-feature.ts'
import { hashToken } from '../../secret-token.ts'
import { issuePasswordCode } from './password-routes.ts'
import { registerUser } from './register-user.ts'
import { signInDemo } from './sign-in.ts'

const dayMs = 86_400_000

async function deps() {
  return await accountsTestDeps()
}

test('S9 demo users are deleted after 24 hours, and the end of their devices is published', async () => {
  const { changedDevices, move, ...rest } = await deps()
  const { user } = await signInDemo(rest, undefined)
  const deviceKeys = [await insertDevice(rest.db, user.key), await insertDevice(rest.db, user.key)]
  move(1)
  const later = await signInDemo(rest, undefined)
  await insertDevice(rest.db, later.user.key)
  move(dayMs - 1)

  expect(await deleteExpired(rest)).toEqual({ sessions: 0, users: 1 })
  expect(changedDevices).toEqual(deviceKeys)
  expect(await rest.store.findUser(user.username)).toBeUndefined()
  expect(await rest.store.findUser(later.user.username)).toEqual(later.user)
})

test('all expired demo users are deleted, even more than are read at once', async () => {
  const { move, ...rest } = await deps()
  for (let time = 0; time < 101; time += 1) await signInDemo(rest, undefined)
  move(dayMs)
  expect(await deleteExpired(rest)).toMatchObject({ users: 101 })
  expect(await rest.store.listExpiredUsers(Number.MAX_SAFE_INTEGER, 1)).toEqual([])
})

test('S13 expired sessions are deleted, and their users stay', async () => {
  const { move, ...rest } = await deps()
  const credentials = { username: 'nova', password: 'correct horse' }
  const { token } = await registerUser(rest, credentials, undefined)
  move(14 * dayMs - 1)
  expect(await deleteExpired(rest)).toEqual({ sessions: 0, users: 0 })
  move(1)
  expect(await deleteExpired(rest)).toEqual({ sessions: 1, users: 0 })
  expect(await rest.store.findSession(hashToken(token))).toBeUndefined()
  expect(await rest.store.findUser('nova')).toBeDefined()
})

test('expired codes are deleted, and invites a month after they expire', async () => {
  const { move, ...rest } = await deps()
  const { user } = await registerUser(
    rest,
    { username: 'nova', password: 'correct horse' },
    undefined,
  )
  await issuePasswordCode(rest, user.key, 24)
  const codeHash = hashToken('invite')
  await rest.invites.insert(
    {
      id: 'id',
      codeHash,
      note: null,
      maxUses: 1,
      createdBy: 'console',
      createdMs: rest.clock(),
      expiresMs: rest.clock() + dayMs,
    },
    10,
  )
  const codes = () => rest.db.selectFrom('one_time_codes').select('key').execute()
  move(dayMs - 1)
  await deleteExpired(rest)
  expect(await codes()).toHaveLength(1)
  move(1)
  await deleteExpired(rest)
  expect(await codes()).toEqual([])
  expect(await rest.invites.list()).toHaveLength(1)
  move(30 * dayMs)
  await deleteExpired(rest)
  expect(await rest.invites.list()).toEqual([])
})
