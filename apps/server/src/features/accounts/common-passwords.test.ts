import { expect, test } from 'vitest'
import { isCommonPassword, loadCommonPasswords } from './common-passwords.ts'

const commonPasswords = await loadCommonPasswords()

test('S2 the bundled list has at least 3,000 passwords that are long enough', () => {
  const longEnough = [...commonPasswords].filter((password) => password.length >= 8)
  expect(longEnough.length).toBeGreaterThanOrEqual(3000)
  expect(longEnough).toHaveLength(commonPasswords.size)
})

test('the list has passwords in lower case, and nothing of the licence above it', () => {
  for (const password of commonPasswords) expect(password).toMatch(/^[!-~]{8,128}$/)
  for (const password of commonPasswords) expect(password).toBe(password.toLowerCase())
  expect(commonPasswords).toContain('password')
})

test.each(['password', 'PassWord', 'QWERTYUIOP', '1234567890', 'trustno1'])(
  'S2 %s is common in any case',
  (password) => {
    expect(isCommonPassword(commonPasswords, password, 'nova')).toBe(true)
  },
)

test('S2 a username is a common password for its own user only', () => {
  expect(isCommonPassword(commonPasswords, 'nova-SCOUT', 'Nova-Scout')).toBe(true)
  expect(isCommonPassword(commonPasswords, 'nova-SCOUT', 'other')).toBe(false)
})

test.each(['astropelago', 'Astropelago', 'astropelago1', 'ASTROPELAGO2026'])(
  "S2 %s is the product's name",
  (password) => {
    expect(isCommonPassword(commonPasswords, password, 'nova')).toBe(true)
  },
)

test.each(['correct horse battery', 'password ', ' password', 'my astropelago', '🛰🛰🛰🛰🛰🛰🛰🛰'])(
  'S1 %j is not common',
  (password) => {
    expect(isCommonPassword(commonPasswords, password, 'nova')).toBe(false)
  },
)
