import { globeDevices, globePlaces, islandLink } from './harness/globe-devices.ts'
import { openGlobe } from './harness/globe-parts.ts'
import { expect, test } from './harness/test.ts'

test.use({ seed: { devices: globeDevices } })
test.beforeEach(async ({ page, user }) => {
  expect(user.username).toBeDefined()
  await page.route('https://*.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>An island</title>' }),
  )
})

test(
  'a click on a node with a link opens it in the same tab, and hits no node behind the globe',
  { tag: '@long' },
  async ({ page }) => {
    const globe = await openGlobe(page)
    const { x, y } = await globe.pointOf(globePlaces.linked)
    await page.mouse.click(x, y)
    await expect(page).toHaveURL(islandLink)
    expect(page.context().pages()).toHaveLength(1)
    await page.goBack()
    await globe.rest({ view: 'earth' })
  },
)
