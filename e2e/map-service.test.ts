import { mapDeviceList } from '../apps/web/src/features/observatory/map/testing/map-devices.ts'
import { mapParts } from './harness/map-parts.ts'
import { stubMapsService } from './harness/maps-service.ts'
import { observatoryParts } from './harness/observatory-parts.ts'
import { expect, test } from './harness/test.ts'

test.use({
  seed: { devices: mapDeviceList },
  buildSettings: { VITE_GOOGLE_MAPS_API_KEY: 'a-key', VITE_GOOGLE_MAPS_MAP_ID: 'a-map' },
})

test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test(
  'with a key Google Maps draws the map, even if it loads only at the fourth try',
  { tag: '@long' },
  async ({ page, problems }) => {
    problems.expectFailure('dropped')
    const { requests, refuseKey } = await stubMapsService(page, 3)
    await page.goto('/observatory')
    const { panel, surface, marker, popover, camera, ready } = mapParts(page)
    await ready()
    expect(requests).toHaveLength(4)
    expect(requests[0]?.searchParams.get('key')).toBe('a-key')
    await expect(panel).not.toContainText('is not set')
    await expect(panel.getByRole('alert')).toHaveCount(0)
    const options = await surface.locator('[data-options]').getAttribute('data-options')
    expect(JSON.parse(options ?? '')).toMatchObject({ mapId: 'a-map' })

    await marker('Lighthouse, online').click()
    await expect(popover).toContainText('52.500, 13.400')
    const row = observatoryParts(page).grid.getByRole('row', { name: /Harbour Island Radio/ })
    await row.click({ position: { x: 20, y: 20 } })
    await expect.poll(async () => (await camera()).lonDeg).toBeCloseTo(151.2, 1)

    await refuseKey()
    await expect(panel.getByRole('alert')).toContainText('refused the key')
  },
)

test(
  'after three retries an error replaces the map, and can be retried',
  { tag: '@long' },
  async ({ page, problems }) => {
    problems.expectFailure('dropped')
    const { requests } = await stubMapsService(page, 4)
    await page.goto('/observatory')
    const { panel, button, ready } = mapParts(page)
    await panel.scrollIntoViewIfNeeded()
    await expect(panel.getByRole('alert')).toHaveText(
      'The Google Maps JavaScript API could not load.',
    )
    expect(requests).toHaveLength(4)
    await button('Try again').click()
    await ready()
    expect(requests).toHaveLength(5)
    await expect(panel.getByRole('alert')).toHaveCount(0)
  },
)
