import { languageCookie } from '@astropelago/contract/languages'
import { pageParts } from '@astropelago/contract/pages'
import type { Page } from '@playwright/test'
import { expect, test } from './harness/test.ts'

test.describe('with a browser that prefers German', () => {
  test.use({ locale: 'de-AT' })

  test('pages are German, and the footer changes the language for good', async ({ page }) => {
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('lang', 'de')
    await expect(page.getByRole('heading', { name: 'So funktioniert’s' })).toBeVisible()
    const languages = page.getByRole('list', { name: 'Sprache' })
    await expect(languages.getByRole('button', { name: 'Deutsch' })).toHaveAttribute(
      'aria-current',
      'true',
    )
    // What loads late moves the footer.
    await expect(async () => {
      await languages.getByRole('button', { name: 'English' }).click({ timeout: 1500 })
      await expect(page.getByRole('heading', { name: 'How it works' })).toBeVisible()
    }).toPass()
    await page.goto('/explore')
    await expect(page).toHaveTitle('Explore · Astropelago')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })

  test('what the server says is German too', async ({ page, problems }) => {
    problems.expectFailure(401)
    await page.goto('/explore?signin=1')
    const dialog = page.getByRole('dialog', { name: 'Anmelden' })
    await dialog.getByLabel('Benutzername').fill('nobody-of-this-name')
    await dialog.getByLabel('Passwort', { exact: true }).fill('a wrong password')
    await dialog.getByRole('button', { name: 'Anmelden' }).click()
    await expect(dialog.getByRole('alert')).toHaveText('Benutzername oder Passwort ist falsch')
  })
})

test('the account has the choice, and forgets it', async ({ page, user: _user }) => {
  await page.goto('/account/profile')
  await page.getByLabel('Language of the pages').selectOption('Deutsch')
  await page.getByRole('button', { name: 'Change language' }).click()
  await expect(page.getByLabel('Sprache der Seiten')).toHaveValue('de')
  const chosen = await page.context().cookies()
  expect(chosen.find(({ name }) => name === languageCookie)?.value).toBe('de')
  await page.getByLabel('Sprache der Seiten').selectOption('Wie im Browser eingestellt')
  await page.getByRole('button', { name: 'Sprache ändern' }).click()
  await expect(page.getByLabel('Language of the pages')).toHaveValue('')
})

const screens = [
  '/',
  '/explore',
  '/observatory',
  '/dashboard',
  '/checks',
  '/connect',
  '/new-island',
  '/harbor-logs',
  '/library',
  '/islands/thetravelerstavern',
  '/account',
  '/discover',
  ...pageParts.account.map((part) => `/account/${part}`),
  ...pageParts.discover.map((part) => `/discover/${part}`),
]

const lateMs = 500

async function expectNoOverflow(page: Page) {
  await page.setViewportSize({ width: 360, height: 800 })
  for (const path of screens) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
    // What loads late, or once it is near, counts too.
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
    await page.waitForTimeout(lateMs)
    const overflowPx = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    )
    expect.soft(overflowPx, path).toBe(0)
  }
}

test.describe('on a phone of 360 px', { tag: '@long' }, () => {
  test.describe('in German', () => {
    test.use({ locale: 'de-DE' })

    test('nothing is wider than the screen', async ({ page, user: _user }) => {
      test.slow()
      await expectNoOverflow(page)
    })
  })

  test('in a language with longer words, nothing is wider than the screen', async ({
    page,
    user: _user,
  }) => {
    test.slow()
    await page.route('**/assets/*.js', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: lengthenTexts(await answer.text()) })
    })
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toContainText('ẽxẽx')
    await expectNoOverflow(page)
  })
})

/** The code of a build with texts that are half as long again, by made-up words. */
function lengthenTexts(code: string): string {
  return code.replaceAll(/(message:\[)(`[^`]{3,}`)(?=[,\]])/g, (_, start: string, text: string) => {
    const words = 'ẽxẽx'.padEnd(Math.ceil(text.length / 2), ' ẽxẽxõxẽx')
    return `${start}${text.slice(0, -1)} ${words.trimEnd()}\``
  })
}
