import type { Page } from '@playwright/test'
import { mapDeviceList } from './harness/map-devices.ts'
import { mapParts } from './harness/map-parts.ts'
import { stubMapsService } from './harness/maps-service.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expect, test } from './harness/test.ts'

test.use({
  seed: { devices: mapDeviceList },
  buildSettings: { VITE_GOOGLE_MAPS_API_KEY: 'a-key', VITE_GOOGLE_MAPS_MAP_ID: 'a-map' },
  reducedMotion: 'reduce',
})

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

const failure = 'The Google Maps JavaScript API could not load.'

async function openMap(page: Page) {
  await page.goto('/observatory')
  const parts = mapParts(page)
  await parts.ready()
  return parts
}

test('with the key the maps service draws the map, 520 pixels high, from zoom 2 on; no message is shown', async ({
  page,
}) => {
  const { requests } = await stubMapsService(page)
  const { panel, surface, useOpenMap } = await openMap(page)
  expect(requests).toHaveLength(1)
  expect(requests[0]?.searchParams.get('key')).toBe('a-key')
  await expect(panel).not.toContainText('is not set')
  await expect(useOpenMap).toHaveCount(0)
  expect((await surface.boundingBox())?.height).toBeCloseTo(518, -1)
  const options = await surface.locator('[data-options]').getAttribute('data-options')
  expect(JSON.parse(options ?? '')).toMatchObject({
    minZoom: 2,
    mapId: 'a-map',
    gestureHandling: 'cooperative',
  })
})

test('its markers have status marks, cut labels and counts, and open popovers', async ({
  page,
}) => {
  await stubMapsService(page)
  const { marker, nodeMarkers, groupMarkers, popover } = await openMap(page)
  await expect(nodeMarkers).toHaveCount(3)
  await expect(marker('Harbour Island Radio, offline')).toHaveText('Harbour Isla')
  await expect(marker('Lighthouse, online').locator('svg')).toBeVisible()
  await expect(groupMarkers).toHaveCount(2)
  await expect(marker('2 devices: 1 online, 1 offline')).toHaveText('11')
  await marker('Lighthouse, online').click()
  await expect(popover).toContainText('52.500, 13.400')
  await page.keyboard.press('Escape')
  await marker('2 devices: 1 online, 1 offline').click()
  await expect(marker('Prairie North, online')).toBeVisible()
})

test('a device that is chosen in the list is gone to on the map', async ({ page }) => {
  await stubMapsService(page)
  const { camera } = await openMap(page)
  const row = observatoryParts(page).grid.getByRole('row', { name: /Harbour Island Radio/ })
  await row.click({ position: { x: 20, y: 20 } })
  await expect.poll(async () => (await camera()).lonDeg).toBeCloseTo(151.2, 1)
})

for (const failures of [1, 2, 3]) {
  test(`after ${failures} failed tries the next one brings the map`, async ({ page, problems }) => {
    problems.expectFailure('dropped')
    const { requests } = await stubMapsService(page, failures)
    const { panel } = await openMap(page)
    expect(requests).toHaveLength(failures + 1)
    await expect(panel.getByRole('alert')).toHaveCount(0)
  })
}

test('three retries after 2, 8 and 24 ms; then the error stands in a red box, and can be tried again', async ({
  page,
  problems,
}) => {
  problems.expectFailure('dropped')
  const { requests } = await stubMapsService(page, 4)
  await page.goto('/observatory')
  const { panel, button, ready } = mapParts(page)
  await expect(panel.getByRole('alert')).toHaveText(failure)
  expect(requests).toHaveLength(4)
  await expect(panel.getByRole('alert')).toHaveCSS('color', 'rgb(251, 138, 138)')
  await button('Try again').click()
  await ready()
  await expect(panel.getByRole('alert')).toHaveCount(0)
})

test('no retry comes before its time', async ({ page, problems }) => {
  problems.expectFailure('dropped')
  const { requests } = await stubMapsService(page, Infinity)
  const failedTries = await countFailedScripts(page)
  await page.clock.install({ time: 0 })
  await page.goto('/observatory')
  const { panel, button } = mapParts(page)
  await expect(panel.getByRole('alert')).toHaveText(failure)
  // Once more, on a clock that stands still.
  await page.clock.pauseAt(3_600_000)
  await button('Try again').click()
  let tries = 5
  for (const pauseMs of [2, 8, 24]) {
    await expect.poll(failedTries).toBe(tries)
    await page.clock.runFor(pauseMs - 1)
    expect(requests).toHaveLength(tries)
    await page.clock.runFor(1)
    tries += 1
  }
  await expect.poll(failedTries).toBe(tries)
  await expect(panel.getByRole('alert')).toHaveText(failure)
  await page.clock.runFor(10_000)
  expect(requests).toHaveLength(tries)
})

test('a key that the service refuses is told in the red box', async ({ page }) => {
  const { refuseKey } = await stubMapsService(page)
  const { panel } = await openMap(page)
  await refuseKey()
  await expect(panel.getByRole('alert')).toContainText('refused the key')
  await expect(panel.getByRole('alert')).toContainText('VITE_GOOGLE_MAPS_API_KEY')
})

/** How many scripts the page has heard of that failed to load. Call it before the page is opened. */
async function countFailedScripts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    let count = 0
    const note = ({ target }: Event) => {
      if (!(target instanceof HTMLScriptElement)) return
      count += 1
      document.documentElement.dataset['failedScripts'] = String(count)
    }
    window.addEventListener('error', note, true)
  })
  const html = page.locator('html')
  return async () => Number((await html.getAttribute('data-failed-scripts')) ?? 0)
}
