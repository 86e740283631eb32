import { expect, test, vi } from 'vitest'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import { accountsTestDeps } from './testing/accounts-test-deps.ts'
import { findSignedInUser } from './find-signed-in-user.ts'
import { registerUser } from './register-user.ts'

test('a new user is signed in, its username kept as typed but trimmed', async () => {
  const deps = await accountsTestDeps()
  const credentials = { username: ' Nova_1 ', password: 'correct horse' }
  const { user, token } = await registerUser(deps, credentials, undefined)
  expect(user).toMatchObject({ username: 'Nova_1', isDemo: false, expiresMs: null, name: null })
  expect(await findSignedInUser(deps, token)).toEqual(user)
})

test.each([
  ['no username', '  ', 'correct horse', 'invalid_input'],
  ['no password', 'nova', '', 'invalid_input'],
  ['no password beside a bad username', '!', '', 'invalid_input'],
  ['a bad username beside a short password', 'no', 'short', 'invalid_username'],
  ['a bad username beside a long password', 'no', 'x'.repeat(129), 'invalid_username'],
  ['a short password', 'nova', '7 chars', 'weak_password'],
  ['a short common password', 'sun', 'sun', 'weak_password'],
  ['a long password', 'nova', 'x'.repeat(129), 'invalid_input'],
  ['half a surrogate pair', 'nova', 'abcdefgh\ud800', 'invalid_input'],
  ['a common password', 'nova', 'SunShine', 'common_password'],
  ['the username as password', 'nova-scout', 'Nova-Scout', 'common_password'],
  ['the trimmed username as password', ' nova-scout ', 'nova-scout', 'common_password'],
  ['a common password for a taken username', 'taken', 'sunshine', 'common_password'],
  ['a taken username', 'taken', 'correct horse', 'username_taken'],
  ['S5 a taken username in another case', 'TAKEN', 'correct horse', 'username_taken'],
])('%s is refused', async (_, username, password, code) => {
  const deps = await accountsTestDeps()
  await registerUser(deps, { username: 'taken', password: 'other horse' }, undefined)
  await expect(registerUser(deps, { username, password }, undefined)).rejects.toMatchObject({
    code,
  })
})

test('S5 a username has 3 to 32 letters, digits, hyphens and underscores of ASCII', async () => {
  const deps = await accountsTestDeps()
  const password = 'correct horse'
  for (const username of ['a-1', '_'.repeat(32), 'Nova-9_x']) {
    const { user } = await registerUser(deps, { username, password }, undefined)
    expect(user.username).toBe(username)
  }
  for (const username of ['ab', 'a'.repeat(33), 'no va', 'nóva', 'nova.', 'nova\0', 'n\u200bova']) {
    await expect(registerUser(deps, { username, password }, undefined)).rejects.toMatchObject({
      code: 'invalid_username',
    })
  }
})

test('S1 passwords have 8 to 128 characters, and an emoji counts once', async () => {
  const deps = await accountsTestDeps()
  for (const [index, password] of [
    '12-chars',
    'x'.repeat(128),
    '🛰'.repeat(128),
    ' '.repeat(8),
  ].entries()) {
    const credentials = { username: `nova-${index}`, password }
    await expect(registerUser(deps, credentials, undefined)).resolves.toBeDefined()
  }
})

test('S5 of two simultaneous registrations one succeeds', async () => {
  const deps = await accountsTestDeps()
  const results = await Promise.allSettled(
    ['nova', 'NOVA'].map((username) =>
      registerUser(deps, { username, password: 'correct horse' }, undefined),
    ),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(results).toContainEqual({
    status: 'rejected',
    reason: expect.objectContaining({ code: 'username_taken' }),
  })
})

test('S4 refusing an operator’s name costs as much as refusing any taken name', async () => {
  const deps = { ...(await accountsTestDeps()), isOperator: () => true }
  const hash = vi.spyOn(deps.passwordHasher, 'hash')
  const credentials = { username: 'ada', password: 'correct horse' }
  await expect(registerUser(deps, credentials, undefined)).rejects.toMatchObject({
    code: 'username_taken',
  })
  expect(hash).toHaveBeenCalledOnce()
  expect(await deps.store.findUser('ada')).toBeUndefined()
})

test('a storage failure is not reported as a taken username', async () => {
  const deps = await accountsTestDeps()
  vi.spyOn(deps.store, 'insertUser').mockRejectedValue(new StorageUnavailable('disk full'))
  const credentials = { username: 'nova', password: 'correct horse' }
  await expect(registerUser(deps, credentials, undefined)).rejects.toThrow(StorageUnavailable)
})

test('S10 neither the token nor the password is stored', async () => {
  const deps = await accountsTestDeps()
  const credentials = { username: 'nova', password: 'correct horse' }
  const { user, token } = await registerUser(deps, credentials, undefined)
  expect(user.passwordHash).toMatch(/^\$argon2id\$/)
  expect(await deps.store.findSession(Buffer.from(token, 'base64url'))).toBeUndefined()
  expect(await deps.store.findSession(Buffer.from(token))).toBeUndefined()
})
