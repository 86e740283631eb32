import { expect, test } from 'vitest'
import { usernamePattern } from '@astropelago/contract/limits'
import { UniqueViolation } from '../../storage/storage-error.ts'
import { accountsTestDeps } from './testing/accounts-test-deps.ts'
import { findSignedInUser } from './find-signed-in-user.ts'
import { signInDemo } from './sign-in.ts'

test('S9 each demo sign-in makes a new user without a password, gone after 24 hours', async () => {
  const deps = await accountsTestDeps()
  const first = await signInDemo(deps, undefined)
  const second = await signInDemo(deps, undefined)
  expect(first.user).toMatchObject({
    passwordHash: null,
    isDemo: true,
    expiresMs: deps.clock() + 24 * 3_600_000,
  })
  expect(second.user.username).not.toBe(first.user.username)
  expect(await findSignedInUser(deps, first.token)).toEqual(first.user)
})

test('a demo username is a valid one', async () => {
  const { user } = await signInDemo(await accountsTestDeps(), undefined)
  expect(user.username).toMatch(/^demo-[a-z2-9]{6}$/)
  expect(user.username).toMatch(usernamePattern)
})

test('a taken name is skipped', async () => {
  const deps = await accountsTestDeps()
  const names = ['demo-aaaaaa', 'demo-aaaaaa', 'demo-bbbbbb']
  const makeUsername = () => names.shift() ?? ''
  await signInDemo({ ...deps, makeUsername }, undefined)
  const { user } = await signInDemo({ ...deps, makeUsername }, undefined)
  expect(user.username).toBe('demo-bbbbbb')
})

test('taken names end in an error, not in a loop', async () => {
  const deps = { ...(await accountsTestDeps()), makeUsername: () => 'demo-aaaaaa' }
  await signInDemo(deps, undefined)
  await expect(signInDemo(deps, undefined)).rejects.toThrow(UniqueViolation)
})
