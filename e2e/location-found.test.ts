import { locationParts } from './harness/location-parts.ts'
import { expect, test } from './harness/test.ts'

test.beforeEach(({ user: _user }) => {
  // Signed in, because the Observatory is guarded.
})

test.use({
  permissions: ['geolocation'],
  geolocation: { latitude: -33.85681234, longitude: 151.21531987, accuracy: 12 },
})

test(
  'Use current location saves the location at once, with six decimals',
  { tag: '@long' },
  async ({ page }) => {
    const panel = locationParts(page)
    await panel.open()
    await panel.label.fill('Opera house')
    await panel.locate.click()
    await expect(panel.message).toHaveText('Saved current location')
    expect(await panel.typed()).toEqual({
      label: 'Opera house',
      lat: '-33.856812',
      lon: '151.21532',
    })
    expect(await panel.stored()).toMatchObject({
      'label.v1': 'Opera house',
      'place.v1': { lat: -33.856812, lon: 151.21532 },
    })
    await expect(panel.toggle).toContainText('Opera house · -33.857, 151.215')
  },
)
