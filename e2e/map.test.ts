import type { Page } from '@playwright/test'
import { mapDeviceList, mapDevices } from './harness/map-devices.ts'
import { mapParts } from './harness/map-parts.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expectAccessible, watchLayoutShift } from './harness/page-health.ts'
import { refuseWebGl } from './harness/refuse-webgl.ts'
import { expect, test } from './harness/test.ts'

test.use({ seed: { devices: mapDeviceList } })

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

/** Scripts and styles of the map, and the world's land. */
const mapFiles = /\/assets\/(open-map|map-surface|maplibre|countries)/

/** Without flights, unless a test is about them: they are slow where graphics are software. */
async function openMap(page: Page, reducedMotion: 'reduce' | 'no-preference' = 'reduce') {
  await page.emulateMedia({ reducedMotion })
  await page.goto('/observatory')
  const parts = mapParts(page)
  await parts.useOpenMap.click()
  await parts.ready()
  return parts
}

test.describe('without the maps key', () => {
  test('a message names the setting that is not set, no map is drawn and none of its files is fetched', async ({
    page,
  }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto('/observatory')
    const { panel, surface, useOpenMap } = mapParts(page)
    await expect(panel).toContainText('VITE_GOOGLE_MAPS_API_KEY is not set')
    await expect(useOpenMap).toBeVisible()
    await expect(observatoryParts(page).grid).toBeVisible()
    await expect(surface).toHaveCount(0)
    await expect(panel.locator('canvas')).toHaveCount(0)
    expect(asked.filter((url) => mapFiles.test(url))).toEqual([])
  })

  test("'Use the open map' shows it under the message, which stays; it is remembered, and can be hidden", async ({
    page,
  }) => {
    const { panel, surface, hideOpenMap, useOpenMap, ready } = await openMap(page)
    await expect(panel).toContainText('VITE_GOOGLE_MAPS_API_KEY is not set')
    await expect(surface).toBeVisible()
    await page.reload()
    await ready()
    await hideOpenMap.click()
    await expect(surface).toHaveCount(0)
    await page.reload()
    await expect(useOpenMap).toBeVisible()
    await expect(surface).toHaveCount(0)
  })

  test('the map is 520 pixels high, drawn by WebGL, and asks no other host', async ({
    page,
    baseURL,
  }) => {
    const hosts = new Set<string>()
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (url.protocol.startsWith('http')) hosts.add(url.origin)
    })
    const { surface, panel } = await openMap(page)
    expect((await surface.boundingBox())?.height).toBeCloseTo(518, -1)
    const canvas = panel.locator('canvas')
    const hasContext = await canvas.evaluate(
      (element) => element instanceof HTMLCanvasElement && element.getContext('webgl2') !== null,
    )
    expect(hasContext).toBe(true)
    expect([...hosts]).toEqual([baseURL])
  })
})

test('zoom starts at the whole world, goes no lower than 2, and ends', async ({ page }) => {
  const { button, camera } = await openMap(page)
  await page.setViewportSize({ width: 360, height: 900 })
  await button('Show the whole world').click()
  await expect.poll(camera).toMatchObject({ zoom: 2, lonDeg: 0 })
  await expect(button('Zoom map out')).toHaveAttribute('aria-disabled', 'true')
  await button('Zoom map out').press('Enter')
  for (let zoom = 3; zoom <= 9; zoom++) {
    await button('Zoom map in').click()
    await expect.poll(async () => (await camera()).zoom).toBe(zoom)
  }
  await expect(button('Zoom map in')).toHaveAttribute('aria-disabled', 'true')
})

test('a node alone has a marker with its label, cut to 12 characters', async ({ page }) => {
  const { marker, nodeMarkers, groupMarkers } = await openMap(page)
  await expect(nodeMarkers).toHaveCount(3)
  await expect(marker('Lighthouse, online')).toHaveText('Lighthouse')
  await expect(marker('Harbour Island Radio, offline')).toHaveText('Harbour Isla')
  await expect(marker('Quiet Buoy, unknown')).toBeVisible()
  await expect(groupMarkers).toHaveCount(2)
})

test('a popover tells label, status, place and link, which opens in a new tab', async ({
  page,
}) => {
  const { marker, popover, button } = await openMap(page)
  await marker('Lighthouse, online').click()
  await expect(popover.getByRole('heading')).toHaveText('Lighthouse')
  await expect(popover).toContainText('online')
  await expect(popover).toContainText('52.500, 13.400')
  const link = popover.getByRole('link')
  await expect(link).toHaveAttribute('href', 'https://lighthouse.example/a')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener/)
  await button('Close').click()
  await expect(popover).toHaveCount(0)

  await marker('Harbour Island Radio, offline').click()
  await expect(popover.getByRole('link')).toHaveCount(0)
  await expect(popover).toContainText('offline')
  // A press beside it closes it.
  const { surface } = mapParts(page)
  await surface.click({ position: { x: 500, y: 60 } })
  await expect(popover).toHaveCount(0)
})

test('a group tells who is online and offline, and zooms in until its nodes stand alone', async ({
  page,
}) => {
  const { marker, camera } = await openMap(page, 'no-preference')
  const group = marker('2 devices: 1 online, 1 offline')
  await expect(group.locator('[data-status=online]')).toHaveText('1')
  await expect(group.locator('[data-status=offline]')).toHaveText('1')
  await group.click()
  await expect(marker('Prairie North, online')).toBeVisible()
  await expect(marker('Prairie South, offline')).toBeVisible()
  await expect.poll(async () => (await camera()).zoom).toBeGreaterThan(5)
})

test('several nodes at one spot open a list, and each of them its popover', async ({ page }) => {
  const { marker, popover, camera } = await openMap(page)
  const before = await camera()
  await marker('3 devices: 3 online').click()
  await expect(popover.getByRole('heading')).toHaveText('3 devices here')
  await expect(popover.getByRole('listitem')).toHaveCount(3)
  expect(await camera()).toEqual(before)
  await popover.getByRole('button', { name: /Stack Two/ }).click()
  await expect(popover.getByRole('heading')).toHaveText('Stack Two')
  await popover.getByRole('button', { name: 'Back to the devices here' }).click()
  await expect(popover.getByRole('listitem')).toHaveCount(3)
})

test('keys: arrows move, + and - zoom, Home shows the whole world; markers are reached, opened and left', async ({
  page,
}) => {
  const { surface, camera, marker, popover } = await openMap(page)
  const home = await camera()
  await surface.focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(async () => (await camera()).lonDeg).toBeGreaterThan(home.lonDeg + 20)
  await page.keyboard.press('ArrowUp')
  await expect.poll(async () => (await camera()).latDeg).not.toBe(home.latDeg)
  await page.keyboard.press('+')
  await expect.poll(async () => (await camera()).zoom).toBeCloseTo(home.zoom + 1, 1)
  await page.keyboard.press('-')
  await page.keyboard.press('Home')
  await expect.poll(camera).toEqual(home)

  await page.keyboard.press('Tab')
  await expect(page.locator('[data-marker]:focus')).toHaveCount(1)
  await marker('3 devices: 3 online').focus()
  await page.keyboard.press('ArrowUp')
  await expect(marker('Lighthouse, online')).toBeFocused()
  expect(await camera()).toEqual(home)
  await page.keyboard.press('Enter')
  await expect(popover.getByRole('heading')).toHaveText('Lighthouse')
  await expect(popover).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(popover).toHaveCount(0)
  await expect(marker('Lighthouse, online')).toBeFocused()
})

test('a device that is chosen in the list is marked, and the map goes to it', async ({ page }) => {
  const { camera, panel } = await openMap(page)
  const { grid } = observatoryParts(page)
  await grid
    .getByRole('row', { name: /Harbour Island Radio/ })
    .click({ position: { x: 20, y: 20 } })
  const { lat, lon } = mapDevices.longLabel
  await expect.poll(async () => (await camera()).latDeg).toBeCloseTo(lat, 1)
  expect((await camera()).lonDeg).toBeCloseTo(lon, 1)
  const ring = await panel.locator('[data-pin=selected]').boundingBox()
  const surface = await mapParts(page).surface.boundingBox()
  if (ring === null || surface === null) throw new Error('Nothing is marked')
  expect(ring.x + ring.width / 2).toBeCloseTo(surface.x + surface.width / 2, -1)
})

test('close up the land bears names: the country, then its states; the saved location is there as "you"', async ({
  page,
}) => {
  await page.addInitScript(() => {
    localStorage.setItem('astropelago.location-label.v1', JSON.stringify('Ship'))
    localStorage.setItem('astropelago.location-place.v1', JSON.stringify({ lat: -33, lon: 150 }))
  })
  const { panel, camera } = await openMap(page)
  await expect(panel.getByText('You: Ship')).toBeVisible()
  await expect(panel.getByText('New South Wales')).toHaveCount(0)
  await page.getByRole('button', { name: 'Jump to' }).click()
  await page.getByRole('menuitem', { name: 'Australia', exact: true }).click()
  await expect.poll(async () => (await camera()).lonDeg).toBeCloseTo(133, 0)
  await expect(panel.getByText('Australia', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Jump to' }).click()
  await page.getByRole('menuitem', { name: 'New South Wales' }).click()
  await expect(panel.getByText('New South Wales', { exact: true })).toBeVisible()
  await expect(panel.getByText('Australia', { exact: true })).toHaveCount(0)
})

test('a device that is chosen on the map is the one selected in the list', async ({ page }) => {
  const { marker } = await openMap(page)
  const { grid } = observatoryParts(page)
  await marker('Quiet Buoy, unknown').click()
  await expect(grid.getByRole('row', { name: /Quiet Buoy/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
})

test('a drag moves the map and keeps what is open; the wheel alone scrolls the page', async ({
  page,
}) => {
  const { surface, camera, marker, popover } = await openMap(page)
  await marker('Lighthouse, online').click()
  const before = await camera()
  await surface.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const box = await surface.boundingBox()
  if (box === null) throw new Error('There is no map')
  const from = { x: box.x + 120, y: box.y + 300 }
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x - 90, from.y, { steps: 5 })
  await page.mouse.up()
  await expect.poll(async () => (await camera()).lonDeg).toBeGreaterThan(before.lonDeg + 15)
  await expect(popover).toBeVisible()

  const { zoom } = await camera()
  const scrolled = await page.evaluate(() => window.scrollY)
  await page.mouse.wheel(0, 200)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(scrolled)
  expect((await camera()).zoom).toBe(zoom)
})

test('where motion is unwanted the map is there at once', async ({ page }) => {
  const { surface, marker } = await openMap(page)
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
})

test('axe finds nothing, nothing overflows; the map that is remembered makes nothing jump', async ({
  page,
}) => {
  const { marker, popover, panel, ready } = await openMap(page)
  await marker('Lighthouse, online').click()
  await expect(popover).toBeVisible()
  await expectAccessible(page)
  const layoutShift = await watchLayoutShift(page)
  await page.goto('/observatory')
  await expect(panel).toBeVisible()
  const before = await layoutShift()
  await ready()
  expect((await layoutShift()) - before).toBeLessThan(0.01)
})

test('it survives the loss of its graphics context', async ({ page }) => {
  const { panel, marker, surface, camera, button } = await openMap(page)
  const before = await camera()
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
  await expect(marker('Lighthouse, online')).toBeVisible()
  await button('Zoom map in').click()
  await expect.poll(async () => (await camera()).zoom).toBeCloseTo(before.zoom + 1, 1)
  await expect(surface).toBeVisible()
})

test('without WebGL a sentence leads to the list', async ({ page }) => {
  await refuseWebGl(page)
  await page.goto('/observatory')
  const { panel, useOpenMap } = mapParts(page)
  await useOpenMap.click()
  await expect(panel.getByRole('alert')).toContainText('no WebGL')
  await expect(panel.getByRole('alert')).toContainText('The list has every node.')
})
