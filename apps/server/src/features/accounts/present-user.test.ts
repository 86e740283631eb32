import { expect, test } from 'vitest'
import { DomainError } from '../../domain-error.ts'
import { findSignedInUser } from './find-signed-in-user.ts'
import { presentUser } from './accounts-routes.ts'
import { signInDemo } from './sign-in.ts'
import { accountsTestDeps } from './testing/accounts-test-deps.ts'

test('a name is stored and shown from then on, and null removes it', async () => {
  const deps = await accountsTestDeps()
  const { user, token } = await signInDemo(deps, undefined)
  const named = await deps.store.update(user.key, { name: 'Nova 🛰' })
  expect(presentUser(named, deps.isOperator)).toMatchObject({ name: 'Nova 🛰' })
  expect(await findSignedInUser(deps, token)).toEqual({ ...user, name: 'Nova 🛰' })
  expect(await deps.store.update(user.key, { name: null })).toEqual(user)
})

test('a user deleted in the meantime is signed out', async () => {
  const deps = await accountsTestDeps()
  const { user } = await signInDemo(deps, undefined)
  await deps.store.deleteUser(user.key)
  const changed = await deps.store.update(user.key, { name: 'Nova' })
  expect(() => presentUser(changed, deps.isOperator)).toThrow(new DomainError('signed_out'))
})
