import { expect, test } from 'vitest'
import { accountsTestDeps } from './testing/accounts-test-deps.ts'
import { findSignedInUser } from './find-signed-in-user.ts'
import { signInDemo } from './sign-in-demo.ts'
import { updateName } from './update-name.ts'

test('a name is kept and shown from then on, and null removes it', async () => {
  const deps = await accountsTestDeps()
  const { user, token } = await signInDemo(deps, undefined)
  expect(await updateName(deps, user.key, 'Nova 🛰')).toEqual({ ...user, name: 'Nova 🛰' })
  expect(await findSignedInUser(deps, token)).toMatchObject({ name: 'Nova 🛰' })
  expect(await updateName(deps, user.key, null)).toEqual(user)
})

test('a user deleted in the meantime is signed out', async () => {
  const deps = await accountsTestDeps()
  const { user } = await signInDemo(deps, undefined)
  await deps.store.deleteUser(user.key)
  await expect(updateName(deps, user.key, 'Nova')).rejects.toMatchObject({ code: 'signed_out' })
})
