import { globeDevices } from './harness/globe-devices.ts'
import { openGlobe } from './harness/globe-parts.ts'
import { expect, test } from './harness/test.ts'

test.use({ seed: { devices: globeDevices } })
test.beforeEach(async ({ page, user }) => {
  expect(user.username).toBeDefined()
  // Without fades, a picture is either complete or not drawn yet.
  await page.emulateMedia({ reducedMotion: 'reduce' })
})

test(
  'a globe whose context returns shows the same land and nodes, and turns again',
  { tag: '@long' },
  async ({ page }) => {
    const arrived = page.waitForResponse(/land-110m/)
    const globe = await openGlobe(page)
    await (await arrived).finished()
    await globe.button('Turn east').click()
    await globe.rest({ yawDeg: 22 })
    await page.waitForTimeout(1000)
    const picture = () => globe.canvas.screenshot()
    const before = await picture()
    const loss = await globe.canvas.evaluateHandle((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) throw new Error('no canvas')
      const extension = canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')
      if (extension === null || extension === undefined) throw new Error('no such extension')
      extension.loseContext()
      return extension
    })
    // Long enough to be visible, and short enough that the globe does not give up.
    await page.waitForTimeout(300)
    expect((await picture()).equals(before)).toBe(false)
    await loss.evaluate((extension) => extension.restoreContext())
    await expect.poll(async () => (await picture()).equals(before)).toBe(true)
    await globe.button('Turn east').click()
    await globe.rest({ yawDeg: 32 })
    await expect(globe.canvas).toHaveAttribute('data-drawn-by', 'webgl2')
  },
)

test(
  'without its land the globe still turns, and shows it when the browser is online again',
  { tag: '@long' },
  async ({ page, problems }) => {
    problems.expectFailure('dropped')
    await page.route(/land-110m/, (route) => route.abort())
    const globe = await openGlobe(page)
    await expect(globe.canvas).toHaveAttribute('data-drawn-by', 'webgl2')
    await globe.button('Turn east').click()
    await globe.rest({ yawDeg: 22 })
    const without = await globe.canvas.screenshot()
    await page.unroute(/land-110m/)
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect.poll(async () => (await globe.canvas.screenshot()).equals(without)).toBe(false)
  },
)
