import type { Page } from '@playwright/test'
import { newCredentials } from './harness/new-credentials.ts'
import { markDocument, expectReloaded } from './harness/reload-mark.ts'
import { openSignInForm } from './harness/sign-in-form.ts'
import { expect, test } from './harness/test.ts'

const required = 'Enter username and password'
const usernameRule = 'Username must be 3-32 chars and use letters, numbers, _ or -'
const passwordRule = 'Password must be at least 8 characters'

/** Counts what the form sends. */
function countAuthCalls(page: Page): () => number {
  let calls = 0
  page.on('request', (request) => {
    if (request.url().includes('/api/auth/')) calls += 1
  })
  return () => calls
}

const brokenPairs: readonly (readonly [username: string, password: string, text: string])[] = [
  ['', '', required],
  ['someone', '', required],
  ['', 'a long passphrase', required],
  ['   ', 'a long passphrase', required],
  ['ab', 'short', usernameRule],
  ['a'.repeat(33), 'a long passphrase', usernameRule],
  ['with space', 'a long passphrase', usernameRule],
  ['señor', 'a long passphrase', usernameRule],
  ['someone', 'seven77', passwordRule],
  ['someone', ' seven ', passwordRule],
  ['someone', 'x'.repeat(129), 'Password must be at most 128 characters'],
]
for (const way of ['signIn', 'register'] as const) {
  test(`${way}: both are required, then the username's rule, then the password's; nothing is sent`, async ({
    page,
  }) => {
    const calls = countAuthCalls(page)
    const form = await openSignInForm(page)
    for (const [username, password, text] of brokenPairs) {
      await form.username.fill(username)
      await form.password.fill(password)
      await form[way].click()
      await expect(form.alert, `${username} / ${password}`).toHaveText(text)
      await expect(form.username).toHaveValue(username)
      await expect(form.password).toHaveValue(password)
    }
    expect(calls()).toBe(0)
  })
}

test.describe('what the server refuses', () => {
  test('a username that is taken, in whatever case', async ({ page, problems, request }) => {
    const taken = newCredentials()
    await request.post('/api/auth/register', { data: taken })
    problems.expectFailure(409)
    const form = await openSignInForm(page)
    await form.username.fill(taken.username.toUpperCase())
    await form.password.fill('a different passphrase')
    await form.register.click()
    await expect(form.alert).toHaveText('That username is already taken')
    await expect(form.username).toHaveAccessibleDescription('That username is already taken')
    await expect(form.username).toBeFocused()
    await expect(form.password).toHaveValue('a different passphrase')
  })

  test('a wrong password and an unknown username, alike', async ({ page, problems, request }) => {
    const known = newCredentials()
    await request.post('/api/auth/register', { data: known })
    problems.expectFailure(401)
    const form = await openSignInForm(page)
    for (const username of [known.username, newCredentials().username]) {
      await form.username.fill(username)
      await form.password.fill('not the passphrase')
      await form.signIn.click()
      await expect(form.alert).toHaveText('Incorrect username or password')
      await expect(form.username).toHaveValue(username)
      await expect(form.password).toHaveValue('not the passphrase')
    }
  })

  test('a common password', async ({ page, problems }) => {
    problems.expectFailure(400)
    const form = await openSignInForm(page)
    await form.username.fill(newCredentials().username)
    await form.password.fill('password123')
    await form.register.click()
    await expect(form.alert).toHaveText('That password is too easy to guess')
    await expect(form.password).toHaveAccessibleDescription('That password is too easy to guess')
    await expect(form.password).toBeFocused()
  })

  test('the username is sent trimmed, the password as it was typed', async ({ page, request }) => {
    const { username, password } = newCredentials()
    const spaced = `  ${password}  `
    const form = await openSignInForm(page)
    await form.username.fill(`  ${username}  `)
    await form.password.fill(spaced)
    await markDocument(page)
    await form.register.click()
    await expectReloaded(page)
    const trimmed = await request.post('/api/auth/password-login', { data: { username, password } })
    expect(trimmed.status()).toBe(401)
    const exact = await request.post('/api/auth/password-login', {
      data: { username, password: spaced },
    })
    expect(exact.status()).toBe(200)
  })
})

// The form's own checks, or a healthy server, keep these answers from coming: they are put in.
const catalogue: readonly (readonly [status: number, code: string, text: string])[] = [
  [400, 'invalid_input', 'Please fill in both fields'],
  [400, 'invalid_username', 'Username must be 3–32 chars: letters, numbers, _ or -'],
  [400, 'weak_password', 'Password must be at least 8 characters'],
  [409, 'username_taken', 'That username is already taken'],
  [401, 'invalid_credentials', 'Incorrect username or password'],
  [500, 'server_error', 'Something went wrong. Please try again.'],
  [503, 'overloaded', 'Request failed: 503'],
  [418, 'a_code_from_the_future', 'Request failed: 418'],
]
for (const way of ['signIn', 'register'] as const) {
  test(`${way}: each code of the catalogue has its message, any other the status`, async ({
    page,
    problems,
  }) => {
    const form = await openSignInForm(page)
    await form.username.fill('someone')
    await form.password.fill('a long passphrase')
    for (const [status, code, text] of catalogue) {
      problems.expectFailure(status)
      await page.route(
        '**/api/auth/**',
        (route) => route.fulfill({ status, json: { error: code, code } }),
        { times: 1 },
      )
      await form[way].click()
      await expect(form.alert, code).toHaveText(text)
      await expect(form.username).toHaveValue('someone')
      await expect(form.password).toHaveValue('a long passphrase')
    }
  })
}

test('an answer that is not ours reads: Request failed: 502', async ({ page, problems }) => {
  problems.expectFailure(502)
  await page.route('**/api/auth/**', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  )
  const form = await openSignInForm(page)
  await form.username.fill('someone')
  await form.password.fill('a long passphrase')
  for (const button of [form.signIn, form.register, form.demo]) {
    await button.click()
    await expect(form.alert).toHaveText('Request failed: 502')
  }
})

test('a dropped connection says so, keeps what was typed, and can be retried', async ({
  page,
  problems,
  request,
}) => {
  const { username, password } = newCredentials()
  await request.post('/api/auth/register', { data: { username, password } })
  problems.expectFailure('dropped')
  await page.route('**/api/auth/**', (route) => route.abort('connectionreset'))
  const form = await openSignInForm(page)
  await form.username.fill(username)
  await form.password.fill(password)
  await form.signIn.click()
  await expect(form.alert).toHaveText('The connection failed. Check it and try again.')
  await form.demo.click()
  await expect(form.alert).toHaveText('Demo sign-in failed')

  await page.unroute('**/api/auth/**')
  await expect(form.username).toHaveValue(username)
  await expect(form.password).toHaveValue(password)
  await markDocument(page)
  await form.signIn.click()
  await expectReloaded(page)
  await expect(page.getByRole('link', { name: `Account ${username}` })).toBeVisible()
})
