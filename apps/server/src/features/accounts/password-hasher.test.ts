import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cheapParameters } from './testing/accounts-test-deps.ts'
import { createPasswordHasher, type HashQueue } from './password-hasher.ts'

const cheap = createPasswordHasher({ parameters: cheapParameters })

test('S3 a new hash is argon2id with the parameters that OWASP names', async () => {
  const phc = await createPasswordHasher().hash('correct horse')
  expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
})

test('S3 a hash made elsewhere with the reference implementation is verified', async () => {
  // The reference's own test vector for version 0x13 and argon2id, m=256, t=2, p=1.
  const phc = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
  expect(await cheap.verify(phc, 'password')).toBe(true)
  expect(await cheap.verify(phc, 'Password')).toBe(false)
})

test('two hashes of one password differ', async () => {
  expect(await cheap.hash('correct horse')).not.toBe(await cheap.hash('correct horse'))
})

test('S1 only the exact password matches, whatever its characters', async () => {
  const password = fc.string({ unit: 'binary', minLength: 8, maxLength: 128 })
  await fc.assert(
    fc.asyncProperty(password, password, async (one, other) => {
      const phc = await cheap.hash(one)
      expect(await cheap.verify(phc, one)).toBe(true)
      expect(await cheap.verify(phc, other)).toBe(one === other)
      expect(await cheap.verify(phc, ` ${one}`)).toBe(false)
      expect(await cheap.verify(phc, `${one} `)).toBe(false)
      expect(await cheap.verify(phc, one.slice(0, -1))).toBe(false)
    }),
    { numRuns: 50 },
  )
})

test('S1 another spelling of the same letters does not match', async () => {
  const phc = await cheap.hash('caf\u00e9 caf\u00e9')
  expect(await cheap.verify(phc, 'cafe\u0301 cafe\u0301')).toBe(false)
})

test('S4 verifying without a user costs one hash and matches no password', async () => {
  let hashes = 0
  const queue: HashQueue = (job) => {
    hashes += 1
    return job()
  }
  const hasher = createPasswordHasher({ parameters: cheapParameters, queue })
  expect(await hasher.verify(null, 'correct horse')).toBe(false)
  expect(hashes).toBe(1)
  await hasher.verify(await cheap.hash('correct horse'), 'correct horse')
  expect(hashes).toBe(2)
})

test('S3 a hash with other parameters needs a new one', async () => {
  const phc = await cheap.hash('correct horse')
  expect(cheap.needsRehash(phc)).toBe(false)
  for (const change of [{ memory: 16 }, { passes: 2 }, { parallelism: 2 }]) {
    const hasher = createPasswordHasher({ parameters: { ...cheapParameters, ...change } })
    expect(hasher.needsRehash(phc)).toBe(true)
  }
})
