import type { Page } from '@playwright/test'
import type { Place } from '../apps/web/src/features/observatory/geometry/unit-vector.ts'
import { globeDevices, globePlaces, islandLink } from './harness/globe-devices.ts'
import { openGlobe } from './harness/globe-parts.ts'
import { expect, test } from './harness/test.ts'

test.use({
  seed: { devices: globeDevices },
  hasTouch: true,
  isMobile: true,
  viewport: { width: 390, height: 844 },
})
test.beforeEach(({ user }) => expect(user.username).toBeDefined())

interface Finger {
  readonly x: number
  readonly y: number
}

/** Touches as browser input, because only the browser decides what scrolls the page. */
async function fingersOn(page: Page) {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', fingers: readonly Finger[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: fingers.map(({ x, y }, id) => ({ x, y, id })),
    })
  return {
    down: (...fingers: readonly Finger[]) => send('touchStart', fingers),
    /** Moves them in ten steps. */
    async move(from: readonly Finger[], to: readonly Finger[]) {
      for (let step = 1; step <= 10; step++) {
        const share = step / 10
        await send(
          'touchMove',
          from.map(({ x, y }, index) => ({
            x: x + ((to[index]?.x ?? x) - x) * share,
            y: y + ((to[index]?.y ?? y) - y) * share,
          })),
        )
      }
    },
    up: () => send('touchEnd', []),
  }
}

const scrolled = (page: Page) => page.evaluate(() => window.scrollY)

test(
  'one finger moving sideways turns the globe and selects the region where it began',
  { tag: '@long' },
  async ({ page }) => {
    const globe = await openGlobe(page)
    const from = await globe.pointOf(globePlaces.empty)
    const to = { x: from.x + 60, y: from.y }
    const hand = await fingersOn(page)
    await hand.down(from)
    await hand.move([from], [to])
    await hand.up()
    await expect.poll(async () => (await globe.camera()).yawDeg).toBeLessThan(0)
    await expect(globe.region('West Africa')).toBeVisible()
  },
)

test(
  'one finger moving up scrolls the page and selects nothing',
  { tag: '@long' },
  async ({ page }) => {
    const globe = await openGlobe(page)
    const from = await globe.pointOf(globePlaces.empty)
    const before = await scrolled(page)
    const hand = await fingersOn(page)
    await hand.down(from)
    await hand.move([from], [{ x: from.x, y: from.y - 150 }])
    await hand.up()
    await expect.poll(() => scrolled(page)).toBeGreaterThan(before + 50)
    await globe.rest({ yawDeg: 12, pitchDeg: 24 })
    await expect(globe.panel.getByRole('region')).toHaveCount(0)
  },
)

test(
  'a tap selects the region; on a device it opens the card with its Visit link',
  { tag: '@long' },
  async ({ page }) => {
    await page.route('https://*.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>An island</title>' }),
    )
    const globe = await openGlobe(page)
    const tap = async (place: Place) => {
      const { x, y } = await globe.pointOf(place)
      await page.touchscreen.tap(x, y)
    }
    await tap(globePlaces.empty)
    await expect(globe.region('West Africa')).toBeVisible()

    await tap(globePlaces.plain)
    await expect(globe.chooser).toContainText('No link')
    await expect(globe.chooser.getByRole('link')).toHaveText('Its page')
    await globe.chooser.getByRole('button', { name: 'Close' }).tap()
    await expect(globe.chooser).toHaveCount(0)

    await tap(globePlaces.linked)
    await expect(globe.chooser).toContainText(`Leads to ${new URL(islandLink).host}`)
    await expect(globe.chooser).toContainText('Its owner is not named')
    const visit = globe.chooser.getByRole('link', { name: 'Visit' })
    await expect(visit).toBeFocused()
    await visit.tap()
    await expect(page).toHaveURL(islandLink)
  },
)

test(
  'two fingers moving apart zoom in to the limit, moving together they turn the globe, and nothing scrolls',
  { tag: '@long' },
  async ({ page }) => {
    const globe = await openGlobe(page)
    const { x, y } = await globe.pointAt(0.5, 0.5)
    const before = await scrolled(page)
    const hand = await fingersOn(page)
    const near = [
      { x: x - 40, y },
      { x: x + 40, y },
    ]
    const apart = [
      { x: x - 60, y },
      { x: x + 60, y },
    ]
    await hand.down(...near)
    await hand.move(near, apart)
    await hand.up()
    await globe.rest({ zoom: 1.5 })
    // The fingers move one after the other, so their centre moves a little.
    expect((await globe.camera()).yawDeg).toBeCloseTo(12, 0)

    await hand.down(...near)
    await hand.move(
      near,
      near.map((finger) => ({ x: finger.x, y: finger.y + 80 })),
    )
    await hand.up()
    await expect.poll(async () => (await globe.camera()).pitchDeg).toBeGreaterThan(30)

    await hand.down(...near)
    await hand.move(near, [
      { x: x - 140, y },
      { x: x + 140, y },
    ])
    await hand.up()
    await globe.rest({ zoom: 1.8 })
    expect(await scrolled(page)).toBe(before)
  },
)
