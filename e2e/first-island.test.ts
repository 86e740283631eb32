import type { Locator } from '@playwright/test'
import { newCredentials } from './harness/new-credentials.ts'
import { signInForm } from './harness/sign-in-form.ts'
import { expect, test } from './harness/test.ts'

const clicksMax = 8
const limitMs = 60_000

test('from signing up to an island that another one enters on a phone: at most a minute and eight clicks', async ({
  page,
  browser,
  problems,
}) => {
  const { username, password } = newCredentials()
  const name = `Inn of ${username}`
  let clicks = 0
  const click = async (what: Locator) => {
    clicks += 1
    await what.click()
  }
  const main = page.getByRole('main')
  const startMs = performance.now()

  await page.goto('/explore')
  await click(page.getByRole('banner').getByRole('button', { name: 'Sign in' }))
  const form = signInForm(page)
  await form.username.fill(username)
  await form.password.fill(password)
  await click(form.register)
  await click(main.getByRole('link', { name: /Island Builder/ }))
  await click(main.getByRole('link', { name: /^Chat room/ }))
  await main.getByLabel('Name', { exact: true }).fill(name)
  await click(main.getByRole('button', { name: 'Publish', exact: true }))
  const enter = main.getByRole('link', { name: 'Enter' })
  await expect(enter).toBeVisible()
  const address = (await enter.getAttribute('href')) ?? ''

  const phone = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
  })
  problems.watch(phone)
  problems.expectFailure(403)
  const visitor = await phone.newPage()
  await visitor.goto(address)
  await expect(visitor.getByRole('heading', { level: 1 })).toContainText(
    `${name} is a page that somebody made`,
  )
  await expect(visitor.getByRole('main')).toContainText(username)
  await visitor.getByRole('button', { name: `Go on to ${name}` }).tap()
  await expect(visitor.getByRole('heading', { level: 1, name })).toBeVisible()
  await phone.close()

  expect(clicks).toBeLessThanOrEqual(clicksMax)
  expect(performance.now() - startMs).toBeLessThan(limitMs)
})
