import { expect, test } from 'vitest'
import { accountsTestDeps } from './testing/accounts-test-deps.ts'
import { findSignedInUser } from './find-signed-in-user.ts'
import { signInDemo } from './sign-in-demo.ts'
import { signOut } from './sign-out.ts'

test('S14 a token is worth nothing after signing out, and other sessions go on', async () => {
  const deps = await accountsTestDeps()
  const { user, token } = await signInDemo(deps, undefined)
  const other = await signInDemo(deps, undefined)
  expect(await signOut(deps, token)).toBe(user.key)
  expect(await findSignedInUser(deps, token)).toBeUndefined()
  expect(await findSignedInUser(deps, other.token)).toEqual(other.user)
})

test('signing out twice changes nothing more', async () => {
  const deps = await accountsTestDeps()
  const { token } = await signInDemo(deps, undefined)
  await signOut(deps, token)
  expect(await signOut(deps, token)).toBeUndefined()
})
