import { goByMenu } from './harness/go-by-menu.ts'
import { holdAnswer } from './harness/held-answer.ts'
import { newCredentials } from './harness/new-credentials.ts'
import { expectSameDocument, markDocument } from './harness/reload-mark.ts'
import { signInForm } from './harness/sign-in-form.ts'
import { expect, test } from './harness/test.ts'

const guarded = ['/discover', '/observatory', '/account', '/dashboard', '/connect']

test.describe('a signed-out visitor', () => {
  test.beforeEach(({ problems }) => problems.expectFailure(401))

  for (const path of guarded) {
    test(`${path} is redirected to /explore?signin=1, replacing history`, async ({ page }) => {
      await page.goto('/')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.goto(path)
      await expect(page).toHaveURL('/explore?signin=1')
      await expect(signInForm(page).dialog).toBeVisible()
      await page.goBack()
      await expect(page).toHaveURL('/')
    })
  }

  test('who follows a link into a guarded page comes back with one step', async ({ page }) => {
    await page.goto('/explore')
    await page.getByRole('link', { name: 'Join now' }).click()
    await expect(page).toHaveURL('/explore?signin=1')
    await expect(signInForm(page).dialog).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL('/explore')
    await expect(signInForm(page).dialog).toHaveCount(0)
  })

  test('who signs in after a redirect gets to the page that was wanted', async ({ page }) => {
    await page.goto('/connect?device=abc')
    const form = signInForm(page)
    const { username, password } = newCredentials()
    await form.username.fill(username)
    await form.password.fill(password)
    await form.register.click()
    await expect(page).toHaveURL('/connect?device=abc')
    await expect(page.getByRole('link', { name: `Account ${username}` })).toBeVisible()
  })
})

test('the check runs again on every navigation: a session that has ended is noticed on the next', async ({
  page,
  problems,
  user,
}) => {
  problems.expectFailure(401)
  await page.goto('/discover')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await markDocument(page)
  await goByMenu(page, 'Connect')
  await expect(page).toHaveURL('/connect')
  await expect(page.getByRole('heading', { level: 1, name: /^Connect/ })).toBeVisible()

  // From elsewhere, so that the cookies of this browser stay as they are.
  const cookies = await page.context().cookies()
  const elsewhere = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const loggedOut = await fetch(new URL('/api/auth/logout', page.url()), {
    headers: { cookie: elsewhere },
  })
  expect(loggedOut.status).toBe(204)

  await goByMenu(page, 'Dashboard')
  await expect(page).toHaveURL('/explore?signin=1')
  await expect(signInForm(page).dialog).toBeVisible()
  await expectSameDocument(page)
})

test('while the check runs the shell stands and nothing is drawn in it', async ({ page, user }) => {
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  const answer = await holdAnswer(page, '/api/me')
  await goByMenu(page, 'Discover')
  await answer.asked
  await expect(page).toHaveURL('/discover')
  await expect(page.getByRole('main')).toBeEmpty()
  await expect(page.getByRole('banner')).toBeVisible()
  await expect(page.getByRole('contentinfo')).toBeVisible()
  answer.release()
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
})

test('going back to a guarded page asks again and draws nothing until the answer is there', async ({
  page,
  user,
}) => {
  await page.goto('/discover')
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
  await goByMenu(page, 'Connect')
  await expect(page.getByRole('heading', { level: 1, name: /^Connect/ })).toBeVisible()
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  const answer = await holdAnswer(page, '/api/me')
  await page.goBack()
  await answer.asked
  await expect(page.getByRole('main')).toBeEmpty()
  answer.release()
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
})

test('a change of the query alone is no navigation: nothing is asked, the page stays', async ({
  page,
  user,
}) => {
  await page.goto('/dashboard')
  await expect(page.getByText(user.username).first()).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  let checks = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/me') checks += 1
  })
  await markDocument(page)
  await page.evaluate(() => {
    window.history.pushState(null, '', '/dashboard?view=wide')
    window.dispatchEvent(new PopStateEvent('popstate'))
  })
  await expect(page).toHaveURL('/dashboard?view=wide')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await expectSameDocument(page)
  expect(checks).toBe(0)
})

test('a slow check of a page that was left decides nothing on the next one', async ({
  page,
  user,
}) => {
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  await page.route(
    '**/api/me',
    async (route) => {
      asked.resolve()
      await released.promise
      await route.fulfill({ status: 401, json: { error: 'signed_out', code: 'signed_out' } })
    },
    { times: 1 },
  )
  const menu = page.getByRole('button', { name: 'Menu' })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Discover' }).click()
  await asked.promise
  await menu.click()
  await page.getByRole('menuitem', { name: 'Observatory' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Observatory' })).toBeVisible()
  released.resolve()
  await menu.click()
  await expect(page.getByText(`Signed in as ${user.username}`)).toBeVisible()
  await expect(page).toHaveURL('/observatory')
})

test('a check that gets no answer counts as signed out', async ({ page, problems, user }) => {
  problems.expectFailure('dropped')
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await page.route('**/api/me', (route) => route.abort('connectionreset'))
  await goByMenu(page, 'Account')
  await expect(page).toHaveURL('/explore?signin=1')
})
