import { expect, test } from 'vitest'
import { confirmPassword } from './sign-in.ts'
import { registerUser } from './register-user.ts'
import { accountsTestDeps } from './testing/accounts-test-deps.ts'

test('S6 wrong guesses of the current password slow down the next one, wherever it comes from', async () => {
  const { waits, ...deps } = await accountsTestDeps()
  const right = { username: 'Nova', password: 'correct horse' }
  const { user } = await registerUser(deps, right, undefined)
  const confirm = (password: string, address: string) =>
    confirmPassword(deps, { userKey: user.key, username: user.username }, password, address)
  for (let time = 0; time < 10; time += 1) {
    await expect(confirm('wrong horse', `198.51.100.${time}`)).rejects.toMatchObject({
      code: 'wrong_password',
    })
  }
  expect(waits).toEqual([])
  await confirm(right.password, '192.0.2.1')
  expect(waits).toEqual([100])
})
