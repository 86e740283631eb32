import { browserOptions } from './harness/browser-options.ts'
import { globeDevices, globePlaces, islandLink } from './harness/globe-devices.ts'
import { openGlobe } from './harness/globe-parts.ts'
import { expect, test } from './harness/test.ts'

test.use({
  seed: { devices: globeDevices },
  // The browser itself refuses. The test replaces no answer.
  launchOptions: browserOptions.launchOptions ?? {},
})
test.beforeEach(async ({ page, user }) => {
  expect(user.username).toBeDefined()
  await page.route('https://*.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>An island</title>' }),
  )
})

test('Canvas 2D draws the same globe: views, drag, region, zoom, keys', async ({ page }) => {
  const globe = await openGlobe(page)
  await expect(globe.canvas).toHaveAttribute('data-drawn-by', 'canvas2d')
  const { x, y } = await globe.pointOf(globePlaces.empty)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await expect(globe.region('West Africa')).toBeVisible()
  await page.mouse.move(x + 60, y + 20, { steps: 6 })
  await page.mouse.up()
  const lonUnderMouse = async () => (await globe.placeUnder({ x: x + 60, y: y + 20 }))?.lonDeg
  await expect.poll(lonUnderMouse).toBeCloseTo(globePlaces.empty.lonDeg, 0)
  await globe.button('Zoom in').click()
  await globe.rest({ zoom: 1.1 })
  await globe.surface.focus()
  await page.keyboard.press('Home')
  await globe.rest({ zoom: 1, yawDeg: 12, pitchDeg: 24 })
  await page.keyboard.press('Escape')
  await globe.rest({ view: 'sky' })
  const planet = await globe.pointAt(0.5, 0.5)
  await page.mouse.click(planet.x, planet.y)
  await globe.rest({ view: 'earth' })
})

test('nodes can be clicked as with WebGL: chooser and link', { tag: '@long' }, async ({ page }) => {
  const globe = await openGlobe(page)
  const few = await globe.pointOf(globePlaces.few)
  await page.mouse.click(few.x, few.y)
  await expect(globe.chooser).toHaveAccessibleName('3 devices here')
  await page.keyboard.press('Escape')
  const linked = await globe.pointOf(globePlaces.linked)
  await page.mouse.click(linked.x, linked.y)
  await expect(page).toHaveURL(islandLink)
})

test('without any canvas, a sentence links to the list', { tag: '@long' }, async ({ page }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null
  })
  await page.goto('/observatory')
  const panel = page.getByRole('region', { name: 'Sky and Earth', exact: true })
  await expect(panel).toContainText('Your browser can’t draw the globe here')
  await panel.getByRole('link', { name: 'Go to the list' }).click()
  await expect(page).toHaveURL(/#device-list$/)
  await expect(page.getByText('Antipode', { exact: true })).toBeVisible()
})
