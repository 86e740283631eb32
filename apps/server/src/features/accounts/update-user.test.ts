import { expect, test } from 'vitest'
import { accountsTestDeps } from './testing/accounts-test-deps.ts'
import { findSignedInUser } from './find-signed-in-user.ts'
import { signInDemo } from './sign-in-demo.ts'
import { updateUser } from './update-user.ts'

test('a name is kept and shown from then on, and null removes it', async () => {
  const deps = await accountsTestDeps()
  const { user, token } = await signInDemo(deps, undefined)
  const named = { ...user, name: 'Nova 🛰' }
  expect(await updateUser(deps, user.key, { name: 'Nova 🛰' })).toEqual(named)
  expect(await findSignedInUser(deps, token)).toMatchObject({ name: 'Nova 🛰' })
  expect(await updateUser(deps, user.key, { name: null })).toEqual(user)
})

test('a user deleted in the meantime is signed out', async () => {
  const deps = await accountsTestDeps()
  const { user } = await signInDemo(deps, undefined)
  await deps.store.deleteUser(user.key)
  const updating = updateUser(deps, user.key, { name: 'Nova' })
  await expect(updating).rejects.toMatchObject({ code: 'signed_out' })
})
