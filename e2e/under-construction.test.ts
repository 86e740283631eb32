import type { Page } from '@playwright/test'
import { landing, openLanding } from './harness/landing-parts.ts'
import { watchLayoutShift } from './harness/page-health.ts'
import { expect, test } from './harness/test.ts'

const noticeKey = 'astropelago.under-construction-dismissed.v1'

function noticeBoxes(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      document.querySelector('aside[aria-label="Under Construction"]')?.getClientRects().length ??
      0,
  )
}

test(
  'the banner shows until it is dismissed, and stays hidden on later visits',
  { tag: '@long' },
  async ({ page }) => {
    await openLanding(page)
    const { notice, dismiss } = landing(page)
    await expect(notice).toBeVisible()
    await dismiss.focus()
    await page.keyboard.press('Enter')
    await expect(notice).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
    expect(await page.evaluate((key) => localStorage.getItem(key), noticeKey)).toBe('true')

    const layoutShift = await watchLayoutShift(page)
    await page.reload()
    await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible()
    await expect(notice).toHaveCount(0)
    expect(await layoutShift()).toBeLessThan(0.01)
  },
)

test(
  'a dismissed banner does not flash up before the app starts',
  { tag: '@long' },
  async ({ page, problems }) => {
    problems.expectFailure('dropped')
    await page.route('**/assets/*.js', (route) => route.abort('connectionreset'))
    await page.goto('/')
    await expect(landing(page).notice).toBeVisible()
    await page.evaluate((key) => localStorage.setItem(key, 'true'), noticeKey)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await noticeBoxes(page)).toBe(0)
  },
)

test(
  'if storage fails, a dismissed banner stays hidden for the current view',
  { tag: '@long' },
  async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
    })
    await openLanding(page)
    const { notice, dismiss } = landing(page)
    await dismiss.click()
    await expect(notice).toHaveCount(0)
    await openLanding(page)
    await expect(notice).toBeVisible()
  },
)
