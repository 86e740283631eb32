import { errors } from '@astropelago/contract/errors'
import { newCredentials } from './harness/new-credentials.ts'
import { openSignInForm } from './harness/sign-in-form.ts'
import { expect, test } from './harness/test.ts'

test.use({ serverSettings: { LIMIT_EXEMPT: '', DEMO: 'off' } })

const triesPerMinute = 10

test('too many sign-ins for a username are refused with: Too many tries. Wait a minute and try again.', async ({
  page,
  problems,
  request,
}) => {
  problems.expectFailure(429)
  const { username, password } = newCredentials()
  for (let tries = 0; tries < triesPerMinute; tries += 1) {
    await request.post('/api/auth/password-login', { data: { username, password } })
  }
  const form = await openSignInForm(page)
  await form.username.fill(username)
  await form.password.fill(password)
  await form.signIn.click()
  await expect(form.alert).toHaveText('Too many tries. Wait a minute and try again.')
  await expect(form.password).toHaveValue(password)
})

test('where demo sign-in is turned off, the dialog says so', async ({ page, problems }) => {
  problems.expectFailure(403)
  const form = await openSignInForm(page)
  await form.demo.click()
  await expect(form.alert).toHaveText(errors.demo_off.sentence)
})
