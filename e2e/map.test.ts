import type { Page } from '@playwright/test'
import {
  mapDeviceList,
  mapDevices,
} from '../apps/web/src/features/observatory/map/testing/map-devices.ts'
import { mapParts } from './harness/map-parts.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expectAccessible, watchLayoutShift } from './harness/page-health.ts'
import { refuseWebGl } from './harness/refuse-webgl.ts'
import { expect, test } from './harness/test.ts'

test.use({ seed: { devices: mapDeviceList } })

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

/** Scripts and styles of the map, and the world's land. */
const mapFiles = /\/assets\/(built-in-map|map-surface|maplibre|countries)/

async function openMap(page: Page) {
  // Without animated flights except where a test needs them, because they are slow in software.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/observatory')
  const parts = mapParts(page)
  await parts.ready()
  return parts
}

test(
  'without the maps key, a line names the setting beside the built-in map, which loads on scrolling, only from this site and without layout shifts',
  { tag: '@long' },
  async ({ page }) => {
    const asked: URL[] = []
    page.on('request', (request) => asked.push(new URL(request.url())))
    const mapRequests = () => asked.filter(({ pathname }) => mapFiles.test(pathname))
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.setViewportSize({ width: 1280, height: 400 })
    const layoutShift = await watchLayoutShift(page)
    await page.goto('/observatory')
    const { panel, marker, popover, ready } = mapParts(page)
    await expect(panel).toContainText('VITE_GOOGLE_MAPS_API_KEY is not set')
    await expect(observatoryParts(page).grid).toBeVisible()
    await expect(panel.locator('canvas')).toHaveCount(0)
    expect(mapRequests()).toEqual([])

    const before = await layoutShift()
    await ready()
    expect((await layoutShift()) - before).toBeLessThan(0.01)
    expect(mapRequests()).not.toEqual([])
    const { origin } = new URL(page.url())
    const elsewhere = asked.filter(
      (url) => url.protocol.startsWith('http') && url.origin !== origin,
    )
    expect(elsewhere).toEqual([])
    await marker('Lighthouse, online').click()
    await expect(popover).toBeVisible()
    await expectAccessible(page)
  },
)

test(
  'WebGL draws the map; keys, drags and the list move it, the wheel does not; with reduced motion it moves at once',
  { tag: '@long' },
  async ({ page }) => {
    const { panel, surface, camera, marker, nodeMarkers, popover } = await openMap(page)
    const { grid } = observatoryParts(page)
    expect((await surface.boundingBox())?.height).toBeCloseTo(518, -1)
    await expect(nodeMarkers).toHaveCount(3)
    await expect(marker('Lighthouse, online').locator('svg')).toHaveCount(0)

    await marker('Lighthouse, online').click()
    await expect(grid.getByRole('row', { name: /Lighthouse/ })).toHaveAttribute(
      'aria-selected',
      'true',
    )
    const home = await camera()
    await surface.evaluate((element) => element.scrollIntoView({ block: 'center' }))
    const box = await surface.boundingBox()
    if (box === null) throw new Error('There is no map')
    const from = { x: box.x + 120, y: box.y + 300 }
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x - 90, from.y, { steps: 5 })
    await page.mouse.up()
    await expect.poll(async () => (await camera()).lonDeg).toBeGreaterThan(home.lonDeg + 15)
    await expect(popover).toBeVisible()
    const scrolled = await page.evaluate(() => window.scrollY)
    await page.mouse.wheel(0, 200)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(scrolled)
    expect((await camera()).zoom).toBe(home.zoom)

    await surface.press('ArrowUp')
    await expect.poll(async () => (await camera()).latDeg).not.toBe(home.latDeg)
    await surface.press('Home')
    await expect.poll(camera).toEqual(home)

    await grid
      .getByRole('row', { name: /Harbour Island Radio/ })
      .click({ position: { x: 20, y: 20 } })
    const { lat, lon } = mapDevices.longLabel
    await expect.poll(async () => (await camera()).latDeg).toBeCloseTo(lat, 1)
    expect((await camera()).lonDeg).toBeCloseTo(lon, 1)
    await expect(panel.locator('[data-pin=selected]')).toBeInViewport()

    await surface.press('Home')
    await expect.poll(camera).toEqual(home)
    await surface.evaluate((element) => {
      const seen = new Set<string>()
      new MutationObserver(() => {
        seen.add(element.dataset['zoom'] ?? '')
        element.dataset['rests'] = String(seen.size)
      }).observe(element, { attributeFilter: ['data-zoom'] })
    })
    await marker('2 devices: 1 online, 1 offline').click()
    await expect(marker('Prairie North, online')).toBeVisible()
    await expect(surface).toHaveAttribute('data-rests', '1')
  },
)

test('the map survives the loss of its graphics context', { tag: '@long' }, async ({ page }) => {
  const { panel, surface, camera, marker, button } = await openMap(page)
  await page.setViewportSize({ width: 360, height: 900 })
  await button('Show the whole world').click()
  await expect.poll(camera).toMatchObject({ zoom: 2, lonDeg: 0 })
  await panel.locator('canvas').evaluate(async (element) => {
    if (!(element instanceof HTMLCanvasElement)) return
    const extension = element.getContext('webgl2')?.getExtension('WEBGL_lose_context')
    const restored = new Promise((resolve) => {
      element.addEventListener('webglcontextrestored', resolve)
    })
    extension?.loseContext()
    setTimeout(() => extension?.restoreContext(), 50)
    await restored
  })
  await button('Zoom map in').click()
  await expect.poll(async () => (await camera()).zoom).toBe(3)
  await expect(marker('3 devices: 3 online')).toBeVisible()
  await expect(surface).toBeVisible()
})

test('without WebGL, a sentence links to the list', { tag: '@long' }, async ({ page }) => {
  await refuseWebGl(page)
  await page.goto('/observatory')
  const { panel } = mapParts(page)
  await panel.scrollIntoViewIfNeeded()
  await expect(panel.getByRole('alert')).toContainText('no WebGL')
  await expect(panel.getByRole('alert')).toContainText('The list has every device.')
})
