import type { BrowserContext, Page } from '@playwright/test'
import { clusteredDevices } from './harness/clustered-devices.ts'
import { globeParts } from './harness/globe-parts.ts'
import { holdAnswer } from './harness/held-answer.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expect, test } from './harness/test.ts'

test.use({ seed: { devices: clusteredDevices(20) } })

/** Ignores the order of the parameters. */
const asksForOnlineByLat = ({ searchParams }: URL) =>
  searchParams.get('status') === 'online' && searchParams.get('sort') === 'lat'

/** Resolves when the last change is stored. */
async function stored(page: Page): Promise<void> {
  await page.waitForResponse(
    (response) => response.url().includes('/_spark/kv/') && response.request().method() === 'POST',
  )
}

/** The same user in a browser that has never been here. */
async function anotherBrowser(context: BrowserContext): Promise<Page> {
  const browser = context.browser()
  if (browser === null) throw new Error('There is no browser')
  const { cookies } = await context.storageState()
  const other = await browser.newContext({ storageState: { cookies, origins: [] } })
  return await other.newPage()
}

test(
  'view, zoom and the order of the list follow the user to another browser',
  { tag: '@long' },
  async ({ page, context, baseURL, problems, user: _user }) => {
    await page.goto('/observatory')
    const { canvas, button } = globeParts(page)
    await expect(canvas).toHaveAttribute('data-view', 'earth')
    await expect(canvas).toHaveAttribute('data-zoom', '1')
    await button('Zoom in').click()
    await expect(canvas).toHaveAttribute('data-zoom', '1.1')
    await button('Sky view').click()
    await expect(canvas).toHaveAttribute('data-view', 'sky')
    await observatoryParts(page).sortButton('Lat').click()
    await Promise.all([
      stored(page),
      observatoryParts(page).statusFilter.selectOption({ label: 'Online' }),
    ])
    await expect(page).toHaveURL(asksForOnlineByLat)

    const other = await anotherBrowser(context)
    problems.watch(other.context())
    await other.goto(`${baseURL}/observatory`)
    await expect(globeParts(other).canvas).toHaveAttribute('data-view', 'sky')
    await expect(globeParts(other).canvas).toHaveAttribute('data-zoom', '1.1')
    await expect(other).toHaveURL(asksForOnlineByLat)
    await expect(observatoryParts(other).statusFilter).toHaveValue('online')
    await other.context().close()
  },
)

test(
  'the page does not wait for saved preferences; late ones apply except where the user has changed them',
  { tag: '@long' },
  async ({ page, context, baseURL, problems, user: _user }) => {
    await page.goto('/observatory')
    await globeParts(page).button('Sky view').click()
    await expect(globeParts(page).canvas).toHaveAttribute('data-view', 'sky')
    await Promise.all([
      stored(page),
      observatoryParts(page).statusFilter.selectOption({ label: 'Online' }),
    ])

    const other = await anotherBrowser(context)
    problems.watch(other.context())
    const saved = await holdAnswer(other, '/_spark/kv/observatory')
    await other.goto(`${baseURL}/observatory`)
    await saved.asked
    const { canvas, button } = globeParts(other)
    await expect(canvas).toHaveAttribute('data-view', 'earth')
    await button('Zoom in').click()
    await expect(canvas).toHaveAttribute('data-zoom', '1.1')
    await expect(observatoryParts(other).rows.first()).toBeVisible()
    await expect(observatoryParts(other).statusFilter).toHaveValue('all')
    saved.release()
    await expect(observatoryParts(other).statusFilter).toHaveValue('online')
    await expect(other.getByText('by the filter of your last visit')).toBeVisible()
    await expect(canvas).toHaveAttribute('data-view', 'earth')
    await expect(canvas).toHaveAttribute('data-zoom', '1.1')
    await other.context().close()
  },
)
