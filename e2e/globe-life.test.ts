import { countFrames, framesIn, framesInAWhile } from './harness/frame-log.ts'
import { globeDevices } from './harness/globe-devices.ts'
import { goByMenu } from './harness/go-by-menu.ts'
import { openGlobe } from './harness/globe-parts.ts'
import { expect, test } from './harness/test.ts'

test.use({ seed: { devices: globeDevices } })
test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test(
  'no frame is drawn at rest, and none after a turn has ended',
  { tag: '@long' },
  async ({ page }) => {
    await countFrames(page)
    const globe = await openGlobe(page)
    await expect(globe.canvas).toHaveAttribute('data-drawn-by', 'webgl2')
    await expect.poll(() => framesInAWhile(page)).toBe(0)
    expect(await framesIn(page, 2100)).toBe(0)
    const turned = framesInAWhile(page)
    await globe.button('Turn east').click()
    expect(await turned).toBeGreaterThan(0)
    await globe.rest({ yawDeg: 22 })
    await expect.poll(() => framesInAWhile(page)).toBe(0)
    expect(await framesIn(page, 1050)).toBe(0)
  },
)

/** A browser keeps sixteen WebGL contexts and warns when it drops the oldest, which fails the test. */
const visits = 18

test('eighteen visits leave no WebGL context behind', { tag: '@long' }, async ({ page }) => {
  test.setTimeout(180_000)
  // A small window, because each visit draws in software.
  await page.setViewportSize({ width: 360, height: 640 })
  const globe = await openGlobe(page)
  await goByMenu(page, 'Discover')
  for (let visit = 0; visit < visits; visit++) {
    await expect(globe.canvas).toHaveCount(0)
    await page.evaluate(() => history.back())
    await expect(globe.canvas).toHaveAttribute('data-view', 'earth')
    if (visit < visits - 1) await page.evaluate(() => history.forward())
  }
  await expect(globe.canvas).toHaveAttribute('data-drawn-by', 'webgl2')
  await globe.button('Turn east').click()
  await globe.rest({ yawDeg: 22 })
})

test(
  'the same globe is drawn without WebGL after its context is lost for good',
  { tag: '@long' },
  async ({ page }) => {
    const globe = await openGlobe(page)
    await globe.button('Turn east').click()
    await globe.rest({ yawDeg: 22 })
    await globe.canvas.evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) throw new Error('no canvas')
      canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext()
    })
    await expect(globe.canvas).toHaveAttribute('data-drawn-by', 'canvas2d', { timeout: 20_000 })
    await globe.rest({ yawDeg: 22 })
    await globe.surface.focus()
    await page.keyboard.press('n')
    await expect(globe.spoken).toContainText('in sight')
    await globe.button('Turn west').click()
    await globe.rest({ yawDeg: 12 })
  },
)
