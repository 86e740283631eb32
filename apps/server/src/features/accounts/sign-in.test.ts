import { expect, test, vi } from 'vitest'
import { DomainError } from '../../domain-error.ts'
import { accountsTestDeps, cheapParameters } from './testing/accounts-test-deps.ts'
import { findSignedInUser } from './find-signed-in-user.ts'
import { createPasswordHasher } from './password-hasher.ts'
import { registerUser } from './register-user.ts'
import { signIn, signInDemo, SignInFailed } from './sign-in.ts'

const right = { username: 'Nova', password: 'correct horse' }
const wrong = { username: 'Nova', password: 'wrong horse' }
const from = (address: string | null, presentedToken?: string) => ({ address, presentedToken })
const here = from('192.0.2.1')

async function registered() {
  const deps = await accountsTestDeps()
  const { user, token } = await registerUser(deps, right, undefined)
  return { ...deps, user, token }
}

test('the right password signs in, whatever the case of the username and space around it', async () => {
  const { user, ...deps } = await registered()
  for (const username of ['Nova', 'nova', ' NOVA ']) {
    const signedIn = await signIn(deps, { ...right, username }, here)
    expect(signedIn.user).toEqual(user)
    expect(await findSignedInUser(deps, signedIn.token)).toEqual(user)
  }
})

test.each([
  ['no username', { username: ' ', password: 'correct horse' }],
  ['no password', { username: 'Nova', password: '' }],
  ['a password too long to be one', { username: 'Nova', password: 'x'.repeat(129) }],
  ['a long password for a bad username', { username: '!', password: 'x'.repeat(129) }],
  ['half a surrogate pair', { username: 'Nova', password: 'correct horse\ud800' }],
])('%s is invalid input', async (_, credentials) => {
  await expect(signIn(await registered(), credentials, here)).rejects.toMatchObject({
    code: 'invalid_input',
  })
})

test.each([
  ['a wrong password', wrong],
  ['S1 the password in another case', { username: 'Nova', password: 'Correct horse' }],
  ['S1 the password with space around it', { username: 'Nova', password: ' correct horse ' }],
  ['a short password', { username: 'Nova', password: 'x' }],
  ['an unknown username', { username: 'nobody', password: 'correct horse' }],
  ['what can be no username', { username: '!', password: 'correct horse' }],
])('%s is invalid credentials', async (_, credentials) => {
  await expect(signIn(await registered(), credentials, here)).rejects.toMatchObject({
    code: 'invalid_credentials',
  })
})

test('a character that case folding turns into a letter is not that letter', async () => {
  const deps = await accountsTestDeps()
  await registerUser(deps, { ...right, username: 'kilo' }, undefined)
  // The Kelvin sign: its lower case is the letter k.
  await expect(signIn(deps, { ...right, username: '\u212Ailo' }, here)).rejects.toMatchObject({
    code: 'invalid_credentials',
  })
})

test('a failure carries the user’s key for the log, or null if there is no such user', async () => {
  const { user, ...deps } = await registered()
  await expect(signIn(deps, wrong, here)).rejects.toEqual(
    expect.objectContaining({ userKey: user.key }),
  )
  const unknown = signIn(deps, { ...wrong, username: 'nobody' }, here)
  await expect(unknown).rejects.toThrow(SignInFailed)
  await expect(unknown).rejects.toEqual(expect.objectContaining({ userKey: null }))
})

test('S9 a demo user can’t sign in with any password', async () => {
  const deps = await accountsTestDeps()
  const { user } = await signInDemo(deps, undefined)
  const credentials = { username: user.username, password: 'correct horse' }
  await expect(signIn(deps, credentials, here)).rejects.toMatchObject({
    code: 'invalid_credentials',
  })
})

test('S7 a full hash queue refuses at once, however often the username failed', async () => {
  const { waits, ...deps } = await registered()
  for (let failures = 0; failures < 15; failures += 1) deps.throttle.recordFailure('nova')
  const passwordHasher = {
    ...deps.passwordHasher,
    verify: () => Promise.reject(new DomainError('overloaded')),
  }
  await expect(signIn({ ...deps, passwordHasher }, right, here)).rejects.toMatchObject({
    code: 'overloaded',
  })
  expect(waits).toEqual([])
  await signIn(deps, right, here)
  expect(waits).toEqual([2000])
})

test('S4 an unknown username costs as many hashes and look-ups as a known one', async () => {
  const deps = await registered()
  const verify = vi.spyOn(deps.passwordHasher, 'verify')
  const hash = vi.spyOn(deps.passwordHasher, 'hash')
  const find = vi.spyOn(deps.store, 'findUser')
  const counts = async (username: string) => {
    vi.clearAllMocks()
    await expect(signIn(deps, { ...wrong, username }, here)).rejects.toThrow(SignInFailed)
    return [verify.mock.calls.length, hash.mock.calls.length, find.mock.calls.length]
  }
  expect(await counts('Nova')).toEqual([1, 0, 1])
  expect(await counts('nobody')).toEqual([1, 0, 1])
  expect(await counts('!')).toEqual([1, 0, 1])
})

test('S11 every sign-in makes a new token and ends the presented session, no matter whose it was', async () => {
  const { token, ...deps } = await registered()
  const second = await signIn(deps, right, from('192.0.2.1', token))
  expect(second.token).not.toBe(token)
  expect(await findSignedInUser(deps, token)).toBeUndefined()

  const other = await registerUser(deps, { ...right, username: 'other' }, second.token)
  expect(await findSignedInUser(deps, second.token)).toBeUndefined()
  await signInDemo(deps, other.token)
  expect(await findSignedInUser(deps, other.token)).toBeUndefined()
})

test('S22 a sign-in starts no session if the password changes meanwhile', async () => {
  const { user, ...deps } = await registered()
  const passwordHasher = {
    ...deps.passwordHasher,
    verify: async (phc: string | null, password: string) => {
      const isRight = await deps.passwordHasher.verify(phc, password)
      await deps.store.replacePassword(user.key, phc ?? '', await deps.passwordHasher.hash('new'))
      return isRight
    },
  }
  await expect(signIn({ ...deps, passwordHasher }, right, here)).rejects.toMatchObject({
    code: 'invalid_credentials',
  })
  expect(await deps.store.listSessions(user.key)).toEqual([])
})

test('S11 a failed sign-in leaves the presented session', async () => {
  const { token, user, ...deps } = await registered()
  await expect(signIn(deps, wrong, from('192.0.2.1', token))).rejects.toThrow(SignInFailed)
  expect(await findSignedInUser(deps, token)).toEqual(user)
})

test('S3 a hash with old parameters is replaced at sign-in, and only then', async () => {
  const deps = await registered()
  const passwordHasher = createPasswordHasher({ parameters: { ...cheapParameters, memory: 16 } })
  await expect(signIn({ ...deps, passwordHasher }, wrong, here)).rejects.toThrow(SignInFailed)
  expect((await deps.store.findUser('nova'))?.passwordHash).toContain('m=8,')

  await signIn({ ...deps, passwordHasher }, right, here)
  expect((await deps.store.findUser('nova'))?.passwordHash).toContain('m=16,')
  const renew = vi.spyOn(deps.store, 'renewPasswordHash')
  await signIn({ ...deps, passwordHasher }, right, here)
  expect(renew).not.toHaveBeenCalled()
})

test('S6 beyond the limit no password is verified, right or wrong, until the wait is over', async () => {
  const { move, ...deps } = await registered()
  for (let time = 0; time < 10; time += 1) {
    await expect(signIn(deps, wrong, here)).rejects.toThrow(SignInFailed)
  }
  const verify = vi.spyOn(deps.passwordHasher, 'verify')
  await expect(signIn(deps, right, here)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterS: 60,
  })
  expect(verify).not.toHaveBeenCalled()
  move(60_000)
  await expect(signIn(deps, right, here)).resolves.toBeDefined()
})

test('S6 a storm of failures from elsewhere slows a user down but does not lock it out', async () => {
  const { waits, ...deps } = await registered()
  for (let time = 0; time < 30; time += 1) {
    const elsewhere = from(`198.51.100.${time}`)
    await expect(signIn(deps, wrong, elsewhere)).rejects.toThrow(SignInFailed)
  }
  await expect(signIn(deps, right, here)).resolves.toBeDefined()
  expect(waits.at(-1)).toBe(2000)
})

test('S6 without a limit nothing is counted and nothing waits', async () => {
  const { waits, ...deps } = await registered()
  for (let time = 0; time < 20; time += 1) {
    await expect(signIn(deps, wrong, from(null))).rejects.toThrow(SignInFailed)
  }
  await expect(signIn(deps, right, here)).resolves.toBeDefined()
  expect(waits).toEqual([])
})
