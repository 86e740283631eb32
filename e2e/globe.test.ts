import { globeDevices } from './harness/globe-devices.ts'
import { openGlobe } from './harness/globe-parts.ts'
import { expect, test } from './harness/test.ts'

test.use({ seed: { devices: globeDevices } })
test.beforeEach(({ user }) => expect(user.username).toBeDefined())

const start = { view: 'earth', zoom: 1, yawDeg: 12, pitchDeg: 24 }

test('the globe starts in earth view, 460 px high, drawn by WebGL 2', async ({ page }) => {
  const globe = await openGlobe(page)
  await globe.rest(start)
  await expect(globe.canvas).toHaveAttribute('data-drawn-by', 'webgl2')
  expect((await globe.canvas.boundingBox())?.height).toBeGreaterThan(457)
  expect((await globe.canvas.boundingBox())?.height).toBeLessThanOrEqual(460)
})

test(
  'the wheel scrolls the page; with Ctrl it zooms the globe instead',
  { tag: '@long' },
  async ({ page }) => {
    const globe = await openGlobe(page)
    const { x, y } = await globe.pointAt(0.5, 0.5)
    await page.mouse.move(x, y)
    const scrolled = () => page.evaluate(() => window.scrollY)
    const before = await scrolled()
    await page.mouse.wheel(0, 120)
    await expect.poll(scrolled).toBeGreaterThan(before)
    await globe.rest({ zoom: 1 })

    const resting = await scrolled()
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -120)
    await page.keyboard.up('Control')
    await globe.rest({ zoom: 1.1 })
    expect(await scrolled()).toBe(resting)
  },
)
