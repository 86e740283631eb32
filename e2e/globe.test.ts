import type { Page } from '@playwright/test'
import { globeDevices, globePlaces } from './harness/globe-devices.ts'
import { openGlobe } from './harness/globe-parts.ts'
import { expect, test } from './harness/test.ts'

test.use({ seed: { devices: globeDevices } })
test.beforeEach(({ user }) => expect(user.username).toBeDefined())

const start = { view: 'earth', zoom: 1, yawDeg: 12, pitchDeg: 24 }

test('starts in earth view, 460 px high, drawn by WebGL 2', async ({ page }) => {
  const globe = await openGlobe(page)
  await globe.rest(start)
  await expect(globe.canvas).toHaveAttribute('data-drawn-by', 'webgl2')
  expect((await globe.canvas.boundingBox())?.height).toBeGreaterThan(457)
  expect((await globe.canvas.boundingBox())?.height).toBeLessThanOrEqual(460)
})

test('Sky view and back: the button, Esc, and a click on the planet but not beside it', async ({
  page,
}) => {
  const globe = await openGlobe(page)
  await expect(globe.panel.getByText('or press Esc')).toBeVisible()
  await globe.button('Sky view').click()
  await globe.rest({ view: 'sky' })
  await expect(globe.button('Earth view')).toBeFocused()
  await expect(globe.panel.getByText('or press Esc')).toHaveCount(0)

  const beside = await globe.pointAt(0.9, 0.5)
  expect(await globe.placeUnder(beside)).toBeUndefined()
  await page.mouse.click(beside.x, beside.y)
  const planet = await globe.pointAt(0.5, 0.5)
  await globe.rest({ view: 'sky' })
  await page.mouse.click(planet.x, planet.y)
  await globe.rest(start)

  await page.keyboard.press('Escape')
  await globe.rest({ view: 'sky' })
  await page.keyboard.press('Escape')
  await globe.rest({ view: 'sky' })
  await globe.button('Earth view').click()
  await globe.rest({ view: 'earth' })
})

test('Esc leaves to the sky though nothing has the focus yet', async ({ page }) => {
  const globe = await openGlobe(page)
  await page.keyboard.press('Escape')
  await globe.rest({ view: 'sky' })
})

test('Esc that closes a menu elsewhere leaves the globe where it is', async ({ page }) => {
  const globe = await openGlobe(page)
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  await globe.rest({ view: 'earth' })
})

test('pressing selects the region under the pointer and starts the drag', async ({ page }) => {
  const globe = await openGlobe(page)
  const { x, y } = await globe.pointOf(globePlaces.empty)
  await page.mouse.move(x, y)
  await page.mouse.down()
  const region = globe.region('West Africa')
  await expect(region).toContainText('0° to 30°N, 30°W to 0°')
  await expect(region).toContainText('No devices here yet')
  await page.mouse.move(x + 60, y + 20, { steps: 6 })
  await page.waitForTimeout(150)
  await page.mouse.up()
  await expect.poll(async () => (await globe.camera()).yawDeg).not.toBe(start.yawDeg)
  const place = await globe.placeUnder({ x: x + 60, y: y + 20 })
  expect(place?.latDeg).toBeCloseTo(globePlaces.empty.latDeg, 0)
  expect(place?.lonDeg).toBeCloseTo(globePlaces.empty.lonDeg, 0)

  await region.getByRole('button', { name: 'Close the region' }).click()
  await expect(region).toHaveCount(0)
  await expect(globe.surface).toBeFocused()
})

test('a drag over the pole stops short of it', async ({ page }) => {
  const globe = await openGlobe(page)
  for (let drag = 0; drag < 3; drag++) {
    const from = await globe.pointAt(0.5, 0.2)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(from.x, from.y + 260, { steps: 8 })
    await page.waitForTimeout(150)
    await page.mouse.up()
  }
  await expect.poll(async () => (await globe.camera()).pitchDeg).toBe(89)
})

test('a globe let go while it moves turns on, unless motion is unwelcome', async ({ page }) => {
  const throwGlobe = async () => {
    const globe = await openGlobe(page)
    const { x, y } = await globe.pointOf(globePlaces.empty)
    const mouse = await mouseByClock(page)
    await mouse('mousePressed', x, y, 0)
    for (let step = 1; step <= 8; step++) await mouse('mouseMoved', x + step * 12, y, step * 16)
    await mouse('mouseReleased', x + 96, y, 136)
    // Thrown, it turns for less than two seconds.
    await page.waitForTimeout(2500)
    const place = await globe.placeUnder({ x: x + 96, y })
    return Math.abs((place?.lonDeg ?? 0) - globePlaces.empty.lonDeg)
  }
  expect(await throwGlobe()).toBeGreaterThan(3)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await throwGlobe()).toBeLessThan(0.5)
})

type MouseEventType = 'mousePressed' | 'mouseMoved' | 'mouseReleased'

/** A mouse whose events carry the times that they are given: a busy machine does not slow it down. */
async function mouseByClock(page: Page) {
  const session = await page.context().newCDPSession(page)
  const startS = Date.now() / 1000
  return (type: MouseEventType, x: number, y: number, atMs: number) =>
    session.send('Input.dispatchMouseEvent', {
      type,
      x,
      y,
      timestamp: startS + atMs / 1000,
      button: 'left',
      buttons: type === 'mouseReleased' ? 0 : 1,
      clickCount: 1,
    })
}

test('zoom goes from 0.6 to 1.8 in steps of 0.1, and its buttons end there', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const globe = await openGlobe(page)
  for (const zoom of [1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8]) {
    await globe.button('Zoom in').click()
    await globe.rest({ zoom })
  }
  await expect(globe.button('Zoom in')).toHaveAttribute('aria-disabled', 'true')
  await globe.button('Zoom in').click({ force: true })
  await globe.rest({ zoom: 1.8 })
  for (let step = 0; step < 12; step++) await globe.button('Zoom out').click()
  await globe.rest({ zoom: 0.6 })
  await expect(globe.button('Zoom out')).toHaveAttribute('aria-disabled', 'true')
  await expect(globe.button('Zoom in')).not.toHaveAttribute('aria-disabled')
})

test('the wheel scrolls the page; with Ctrl it zooms, and the page stays', async ({ page }) => {
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
})

test('everything a drag does is done by buttons too', async ({ page }) => {
  const globe = await openGlobe(page)
  await globe.button('Turn east').click()
  await globe.rest({ yawDeg: 22, pitchDeg: 24 })
  await globe.button('Turn north').click()
  await globe.rest({ yawDeg: 22, pitchDeg: 34 })
  await globe.button('Turn west').click()
  await globe.rest({ yawDeg: 12 })
  await globe.button('Turn south').click()
  await globe.rest({ pitchDeg: 24 })
  await globe.button('Zoom in').click()
  await globe.button('Reset the view').click()
  await globe.rest(start)
})

test('keys: arrows turn, + and - zoom, Home resets, Enter selects the region in the middle', async ({
  page,
}) => {
  const globe = await openGlobe(page)
  await globe.surface.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowDown')
  await globe.rest({ yawDeg: 2, pitchDeg: 14 })
  await expect(globe.spoken).toHaveText('14°N, 2°E, zoom 1.0.')
  await page.keyboard.press('+')
  await page.keyboard.press('+')
  await globe.rest({ zoom: 1.2 })
  await page.keyboard.press('-')
  await globe.rest({ zoom: 1.1 })
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Home')
  await globe.rest(start)
  await page.keyboard.press('Enter')
  await expect(globe.region('North Central Africa')).toBeVisible()
  await expect(globe.spoken).toHaveText('Region 0° to 30°N, 0° to 30°E selected.')
  await page.keyboard.press('Escape')
  await globe.rest({ view: 'sky' })
  await expect(globe.region('North Central Africa')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await globe.rest({ view: 'earth' })
})
