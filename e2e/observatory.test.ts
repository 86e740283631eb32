import { blockFeed } from './harness/feed-blockade.ts'
import { globeParts } from './harness/globe-parts.ts'
import { holdAnswer } from './harness/held-answer.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expectAccessible, watchLayoutShift } from './harness/page-health.ts'
import { setHidden } from './harness/set-hidden.ts'
import { expect, test } from './harness/test.ts'

test.use({ seed: { devices: 40 } })

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

const pollMs = 5000

test(
  'the page reserves space until the list is loaded, without layout shifts, and its panels pass axe',
  { tag: '@long' },
  async ({ page }) => {
    const shift = await watchLayoutShift(page)
    const { grid, status, count } = observatoryParts(page)
    for (const size of [
      { width: 360, height: 800 },
      { width: 768, height: 1024 },
      { width: 3840, height: 2160 },
      { width: 1440, height: 900 },
    ]) {
      await page.setViewportSize(size)
      const { asked, release } = await holdAnswer(page, '/api/devices')
      await page.goto('/observatory')
      await asked
      await expect(status).toContainText('Loading the devices…')
      await expect(page.locator('canvas').last()).toBeVisible()
      release()
      await expect(grid).toBeVisible()
      expect(await shift(), `at ${size.width} px`).toBeLessThan(0.01)
    }
    await expect(page).toHaveTitle('Observatory · Astropelago')
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    await expect(headings.first()).toHaveText('Sky and Earth')
    await expect(headings.last()).toHaveText('Devices')
    await expect(count('online')).not.toHaveText('0')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Back', exact: true }).click()
    await expect(page).toHaveURL('/explore')
  },
)

test(
  'without the feed the list is polled every 5 s, without cookies and with 304 while unchanged; a hidden tab catches up when shown',
  { tag: '@long' },
  async ({ page, problems }) => {
    await blockFeed(page, problems)
    const { grid } = observatoryParts(page)
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/api/devices')) asked += 1
    })
    await page.clock.install()
    const first = page.waitForResponse('**/api/devices')
    await page.goto('/observatory')
    expect((await first).status()).toBe(200)
    await expect(grid).toBeVisible()
    const second = page.waitForResponse('**/api/devices')
    await page.clock.fastForward(pollMs)
    const headers = await (await second).request().allHeaders()
    expect((await second).status()).toBe(304)
    expect(headers['if-none-match']).toBe((await (await first).allHeaders())['etag'])
    expect(headers['cookie']).toBeUndefined()

    await setHidden(page, true)
    // By then, the worker's last message and its timer have arrived.
    await page.waitForFunction(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    const whenHidden = asked
    await page.clock.fastForward(20 * pollMs)
    expect(asked).toBe(whenHidden)
    await setHidden(page, false)
    await expect.poll(() => asked).toBeGreaterThan(whenHidden)
  },
)

test('a list that can’t be loaded can be retried; offline, the last one stays and is marked as old', async ({
  page,
  context,
  problems,
}) => {
  await blockFeed(page, problems)
  // The page also asks where the feed is, to follow neighbours.
  problems.expectFailure(503)
  const { status, list, rows } = observatoryParts(page)
  await page.clock.install()
  await page.route('**/api/devices', (route) => route.fulfill({ status: 503, json: {} }))
  await page.goto('/observatory')
  await expect(status).toContainText('The devices could not be loaded.')
  await expect(list).toContainText('The devices could not be loaded.')
  await expectAccessible(page)
  // From now on, the page requests nothing on its own.
  await page.clock.pauseAt(Date.now() + 60_000)
  await expect(status.getByRole('button', { name: 'Try again' })).toBeEnabled()
  await page.unroute('**/api/devices')
  await status.getByRole('button', { name: 'Try again' }).click()
  await expect(rows.first()).toBeVisible()
  await expect(status).not.toContainText('could not be loaded')

  await context.setOffline(true)
  await page.clock.fastForward(pollMs)
  await expect(status).toContainText('so this list may be out of date')
  await expect(rows.first()).toBeVisible()
  await context.setOffline(false)
  await page.clock.fastForward(pollMs)
  await expect(status).not.toContainText('so this list may be out of date')
})

test(
  'a part that can’t be loaded affects no other and can be retried; without preferences the page opens with its defaults',
  { tag: '@long' },
  async ({ page, problems }) => {
    problems.expectFailure('dropped')
    const { globe, rows } = observatoryParts(page)
    const { canvas, button } = globeParts(page)
    const globeCode = '**/assets/globe-panel-*.js'
    await page.route('**/_spark/kv/**', (route) => route.abort())
    await page.route(globeCode, (route) => route.abort('connectionreset'))
    await page.goto('/observatory')
    await expect(globe).toContainText('The globe could not be loaded.')
    await expect(rows.first()).toBeVisible()
    await page.unroute(globeCode)
    await globe.getByRole('button', { name: 'Try again' }).click()
    await expect(canvas).toHaveAttribute('data-view', 'earth')
    await button('Sky view').click()
    await expect(canvas).toHaveAttribute('data-view', 'sky')
  },
)
