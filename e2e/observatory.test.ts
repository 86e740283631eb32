import { deleteDevice, listPublicDevices } from '@astropelago/contract/devices'
import { askApi } from './harness/ask-api.ts'
import { makeDevice, makeToken, sendHeartbeat } from './harness/devices.ts'
import { blockFeed } from './harness/feed-blockade.ts'
import { holdAnswer } from './harness/held-answer.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expectAccessible, watchLayoutShift } from './harness/page-health.ts'
import { seededServer } from './harness/seeded-server.ts'
import { setHidden } from './harness/set-hidden.ts'
import { signUp } from './harness/sign-up.ts'
import { expect, test } from './harness/test.ts'

test.use({ seed: { devices: 40 } })

const pollMs = 5000

test('a visitor who is signed out is asked to sign in', async ({ page, problems }) => {
  problems.expectFailure(401)
  await page.goto('/observatory')
  await expect(page).toHaveURL('/explore?signin=1')
})

test.describe('signed in', () => {
  test.beforeEach(({ user }) => expect(user.username).toBeDefined())

  test("a Back link to /explore, and the panels: 'Sky and Earth', then the list", async ({
    page,
  }) => {
    await page.goto('/observatory')
    await expect(page).toHaveTitle('Observatory · Astropelago')
    const headings = page.getByRole('main').getByRole('heading', { level: 2 })
    await expect(headings.first()).toHaveText('Sky and Earth')
    await expect(headings.last()).toHaveText('Devices')
    await page.getByRole('link', { name: 'Back', exact: true }).click()
    await expect(page).toHaveURL('/explore')
  })

  test('the devices are counted by status, in words and by marks', async ({ page }) => {
    const { count } = observatoryParts(page)
    await page.goto('/observatory')
    const listed = await askApi(page.request, listPublicDevices)
    const counted = (status: string) =>
      String(listed?.filter((device) => device.status === status).length)
    for (const status of ['online', 'offline', 'unknown']) {
      await expect(count(status)).toHaveText(counted(status))
      expect(Number(counted(status)), status).toBeGreaterThan(0)
    }
  })

  test('until the list is there the page shows its places, and nothing jumps when it comes', async ({
    page,
  }) => {
    const shift = await watchLayoutShift(page)
    const { grid, status } = observatoryParts(page)
    for (const size of [
      { width: 360, height: 800 },
      { width: 768, height: 1024 },
      { width: 1440, height: 900 },
      { width: 3840, height: 2160 },
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
  })

  test('asked without cookies, and an unchanged list is not sent again', async ({
    page,
    problems,
  }) => {
    await blockFeed(page, problems)
    const { grid } = observatoryParts(page)
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
  })

  test('without the feed asked every 5 s, but not in a hidden tab, which catches up when it is shown', async ({
    page,
    problems,
  }) => {
    await blockFeed(page, problems)
    const { grid } = observatoryParts(page)
    let asked = 0
    let answered = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/api/devices')) asked += 1
    })
    page.on('response', (response) => {
      if (response.url().endsWith('/api/devices')) answered += 1
    })
    // At least: on a slow machine the page's clock, which goes on, may reach one poll more.
    const settled = async (count: number) => {
      await expect.poll(() => answered).toBeGreaterThanOrEqual(count)
      // The worker's word of it, and the timer that follows, have come by then.
      await page.waitForFunction(() => new Promise((resolve) => requestAnimationFrame(resolve)))
    }
    await page.clock.install()
    await page.goto('/observatory')
    await expect(grid).toBeVisible()
    await settled(1)
    for (const count of [2, 3]) {
      await page.clock.fastForward(pollMs)
      await settled(count)
    }
    await setHidden(page, true)
    await settled(asked)
    const whenHidden = asked
    await page.clock.fastForward(20 * pollMs)
    expect(asked).toBe(whenHidden)
    await setHidden(page, false)
    await settled(whenHidden + 1)
  })

  test('a change reaches the counts, the list and one polite line, without a reload', async ({
    page,
  }) => {
    const request = page.context().request
    const device = await makeDevice(request, { label: 'Newcomer' })
    const { token } = await makeToken(request, device.id)
    const { search, rows, changes } = observatoryParts(page)
    await page.clock.install()
    await page.goto('/observatory?q=newcomer')
    await expect(search).toHaveValue('newcomer')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText('unknown')
    await expect(changes).toBeEmpty()

    await sendHeartbeat(request, token)
    await expect(rows).toContainText('online')
    await expect(changes).toHaveText('1 device came online')

    // Within 10 s the line waits for what else there is to say.
    await askApi(request, deleteDevice, { params: { id: device.id } })
    await expect(rows).toHaveCount(0)
    await expect(changes).toHaveText('1 device came online')
    await page.clock.fastForward(2 * pollMs)
    await expect(changes).toHaveText('1 device was removed')
  })

  test('a list that can’t be loaded is a quiet line with a retry, which mends it', async ({
    page,
  }) => {
    const { status, list, rows, count } = observatoryParts(page)
    await page.route('**/api/devices', (route) => route.abort('connectionreset'))
    await page.goto('/observatory')
    await expect(status).toContainText('The devices could not be loaded.')
    await expect(count('online')).toHaveText('–')
    await expect(list).toContainText('The devices could not be loaded.')
    await expectAccessible(page)
    await page.unroute('**/api/devices')
    await status.getByRole('button', { name: 'Try again' }).click()
    await expect(rows.first()).toBeVisible()
    await expect(status).not.toContainText('could not be loaded')
  })

  test('a refused or unreadable list counts as failed', async ({ page }) => {
    const { status } = observatoryParts(page)
    await page.clock.install()
    await page.route('**/api/devices', (route) => route.fulfill({ status: 503, json: {} }))
    await page.goto('/observatory')
    await expect(status).toContainText('The devices could not be loaded.')
    await page.route('**/api/devices', (route) => route.fulfill({ json: { devices: [] } }))
    await page.clock.fastForward(pollMs)
    await expect(status.getByRole('button', { name: 'Try again' })).toBeEnabled()
    await expect(status).toContainText('The devices could not be loaded.')
  })

  test('offline, the last list stays and is said to be old; back online, it is new again', async ({
    page,
    context,
    problems,
  }) => {
    await blockFeed(page, problems)
    const { status, rows } = observatoryParts(page)
    await page.clock.install()
    await page.goto('/observatory')
    await expect(rows.first()).toBeVisible()
    await context.setOffline(true)
    await page.clock.fastForward(pollMs)
    await expect(status).toContainText('this is the last list that arrived')
    await expect(rows.first()).toBeVisible()
    await context.setOffline(false)
    await page.clock.fastForward(pollMs)
    await expect(status).not.toContainText('this is the last list that arrived')
  })

  test('a part that can’t be loaded takes no other down, and can be tried again', async ({
    page,
    problems,
  }) => {
    problems.expectFailure('dropped')
    const { globe, rows } = observatoryParts(page)
    await page.route('**/assets/globe-panel-*.js', (route) => route.abort('connectionreset'))
    await page.goto('/observatory')
    await expect(globe).toContainText('The globe could not be loaded.')
    await expect(rows.first()).toBeVisible()
    await page.unroute('**/assets/globe-panel-*.js')
    await globe.getByRole('button', { name: 'Try again' }).click()
    await expect(globe.locator('canvas')).toBeVisible()
  })

  test('axe finds nothing, and nothing has to be scrolled sideways', async ({ page }) => {
    const { rows } = observatoryParts(page)
    await page.goto('/observatory')
    await expect(rows.first()).toBeVisible()
    await expect(page.locator('canvas').last()).toBeVisible()
    await expectAccessible(page)
  })
})

test('without a public device the page says what to do next', async ({ page, context }) => {
  const server = await seededServer([])
  try {
    await signUp(context, server)
    const { status, list, count } = observatoryParts(page)
    await page.goto(`${server.url}/observatory`)
    await expect(status).toContainText('No public devices yet.')
    await expect(count('online')).toHaveText('0')
    await expect(list).toContainText('No public devices yet')
    await expectAccessible(page)
    const connect = list.getByRole('link', { name: 'Connect a device' })
    await expect(connect).toHaveAttribute('href', '/connect')
  } finally {
    // Before its server, whose end would be an error in its console.
    await page.close()
    await server.stop()
  }
})
