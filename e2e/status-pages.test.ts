import { createServer } from 'node:http'
import { updateStatusPage } from '@astropelago/contract/status-pages'
import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { listen } from '../apps/server/src/test/listen.ts'
import { askApi } from './harness/ask-api.ts'
import { flippingDevice } from './harness/flipping-device.ts'
import { expect, test } from './harness/test.ts'

/** The interval at which the page refreshes. The test does not wait for it. */
const lookMs = 20_000

async function makePage(request: APIRequestContext, frameHosts: string[] = []) {
  const { device, comeOnline } = await flippingDevice(request, { label: 'Lighthouse' })
  const data = { isOn: true, title: 'Harbour', devices: [device.id], frameHosts }
  await askApi(request, updateStatusPage, { data })
  return { device, comeOnline }
}

/** A page of another origin with this address in a frame. */
async function otherSite(src: string) {
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Wall</title><iframe src="${src}"></iframe>`)
  })
  const url = await listen(site)
  return { host: new URL(url).host, url, close: () => site.close() }
}

/** A wall screen: without a cookie, with a clock that the test moves. */
async function openWall(browser: Browser, address: string, time = new Date()): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 3840, height: 2160 } })
  await page.clock.install({ time })
  await page.goto(address)
  return page
}

test('a wall screen without a cookie shows a flip, and says when the server is gone and back', async ({
  browser,
  server,
  user,
  page,
}) => {
  const { comeOnline } = await makePage(page.context().request)
  const wall = await openWall(browser, `${server.url}/status/${user.username}`)
  const row = wall.getByRole('listitem')
  await expect(wall.getByRole('heading', { level: 1, name: 'Harbour' })).toBeVisible()
  await expect(wall.getByText('The device has not reported yet').first()).toBeVisible()
  await row.getByRole('link', { name: 'Lighthouse' }).focus()
  const hasFont = () => wall.evaluate(() => document.fonts.check('1em "Space Grotesk Variable"'))
  await expect.poll(hasFont).toBe(true)

  await comeOnline()
  await expect(async () => {
    await wall.clock.fastForward(lookMs)
    await expect(wall.locator('#overall')).toHaveText('The device is online', { timeout: 500 })
  }).toPass()
  await expect(row.getByText(/^online since \w+ \d+, \d\d:\d\d$/)).toBeVisible()
  await expect(row.getByRole('img', { name: /^Last 90 days: / })).toBeVisible()
  await expect(wall.getByRole('status').filter({ hasText: 'The device is online' })).toBeAttached()
  await expect(row.getByRole('link', { name: 'Lighthouse' })).toBeFocused()
  await expect(wall).toHaveTitle('Harbour: The device is online')

  const lost = wall.getByText('This server can’t be reached')
  await wall.context().setOffline(true)
  await expect(async () => {
    await wall.clock.fastForward(lookMs)
    await expect(lost).toBeVisible({ timeout: 500 })
  }).toPass()
  await wall.context().setOffline(false)
  await expect(async () => {
    await wall.clock.fastForward(lookMs)
    await expect(lost).toBeHidden({ timeout: 500 })
  }).toPass()
  expect(await wall.context().cookies()).toEqual([])
  await wall.close()
})

test(
  'a wall screen shows the year of a status that began in another one',
  { tag: '@long' },
  async ({ browser, server, user, page }) => {
    const { comeOnline } = await makePage(page.context().request)
    await comeOnline()
    const year = new Date().getFullYear()
    const nextYear = new Date(year + 1, 6, 1)
    const wall = await openWall(browser, `${server.url}/status/${user.username}`, nextYear)
    await expect(async () => {
      await wall.clock.fastForward(lookMs)
      await expect(wall.getByRole('listitem').getByText(/ since /)).toHaveText(
        new RegExp(` since \\w+ \\d+, ${year}, \\d\\d:\\d\\d$`),
        { timeout: 500 },
      )
    }).toPass()
    await wall.close()
  },
)

test(
  'a wall screen says which device recovers when another one goes offline',
  { tag: '@long' },
  async ({ browser, server, user, page }) => {
    const { request } = page.context()
    const { device } = await makePage(request)
    const { device: other } = await flippingDevice(request, { label: 'Roof' })
    await askApi(request, updateStatusPage, { data: { devices: [device.id, other.id] } })
    const address = `${server.url}/status/${user.username}`
    const wall = await openWall(browser, address)
    const show = async (...statuses: string[]) => {
      await wall.route(address, async (route) => {
        const response = await route.fetch()
        const left = [...statuses]
        const body = (await response.text()).replaceAll(
          /<p class="status unknown">(.*?)unknown</g,
          (_, mark: string) => {
            const status = left.shift() ?? 'unknown'
            return `<p class="status ${status}">${mark}${status}<`
          },
        )
        const headers = { ...response.headers(), etag: `"${statuses.join(' ')}"` }
        await route.fulfill({ response, headers, body })
      })
      await expect(async () => {
        await wall.clock.fastForward(lookMs)
        await expect(wall.getByRole('listitem').first()).toContainText(`${statuses[0]}`, {
          timeout: 500,
        })
      }).toPass()
    }
    const spoken = wall.locator('#spoken')
    await show('online', 'offline')
    await show('offline', 'online')
    await expect(spoken).toHaveText(/reported yet\. Lighthouse is offline\. Roof is online$/)
    await show('offline', 'offline')
    await expect(spoken).toHaveText(/reported yet\. Roof is offline$/)
    await wall.close()
  },
)

test(
  'a status page is complete without scripts, and gone for everybody once it is off',
  { tag: '@long' },
  async ({ browser, server, user, page }) => {
    const { request } = page.context()
    const { comeOnline } = await makePage(request)
    await comeOnline()
    const context = await browser.newContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await expect(async () => {
      await plain.goto(`${server.url}/status/${user.username}`)
      await expect(plain.locator('#overall')).toHaveText('The device is online', { timeout: 500 })
    }).toPass()
    await expect(plain.getByRole('region', { name: 'Devices' })).toContainText('Lighthouse')
    await askApi(request, updateStatusPage, { data: { isOn: false } })
    const gone = await plain.goto(`${server.url}/status/${user.username}`)
    expect(gone?.status()).toBe(404)
    await expect(plain.locator('#overall')).toHaveText('There is no status page here')
    await context.close()
  },
)

test(
  'SP4 only a host that its user names can frame it, and it keeps refreshing there',
  { tag: '@long' },
  async ({ browser, server, user, page }) => {
    const { request } = page.context()
    const site = await otherSite(`${server.url}/status/${user.username}`)
    const { comeOnline } = await makePage(request)
    const wall = await browser.newPage()
    const overall = wall.frameLocator('iframe').locator('#overall')

    const refusals: string[] = []
    wall.on('console', (message) => {
      if (message.text().includes('frame-ancestors')) refusals.push(message.text())
    })
    await wall.goto(site.url)
    await expect.poll(() => refusals.length).toBeGreaterThan(0)
    await expect(overall).toHaveCount(0)

    await askApi(request, updateStatusPage, { data: { frameHosts: [site.host] } })
    await wall.clock.install()
    await wall.goto(site.url)
    await expect(overall).toHaveText('The device has not reported yet')
    await comeOnline()
    await expect(async () => {
      await wall.clock.fastForward(lookMs)
      await expect(overall).toHaveText('The device is online', { timeout: 500 })
    }).toPass()
    await wall.close()
    site.close()
  },
)

for (const [width, height] of [
  [360, 740],
  [1440, 900],
  [3840, 2160],
] as const) {
  test(
    `a status page fits a screen ${width} wide`,
    { tag: '@long' },
    async ({ page, user, server }) => {
      await makePage(page.context().request)
      await page.setViewportSize({ width, height })
      await page.goto(`${server.url}/status/${user.username}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth),
      ).toBe(false)
      await expect(page.locator('.overall svg')).toHaveCSS('animation-name', 'none')
    },
  )
}
