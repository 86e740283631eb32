import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']
/** The narrowest screen that WCAG 1.4.10 requires. */
const narrowestPx = 320
const widthsPx = [1440, 360]
const heightPx = 900

/** Checks the page as it is now against axe's rules for WCAG 2.2 A and AA, on a desktop and a phone. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const width of widthsPx) {
    await page.setViewportSize({ width, height: heightPx })
    await animationsDone(page)
    const { violations } = await new AxeBuilder({ page })
      .withTags(wcagTags)
      .setLegacyMode()
      .analyze()
    const found = violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`,
    )
    expect(found, `axe at ${width} px`).toEqual([])
  }
  await expectNoSidewaysScroll(page)
}

/** Checks that nothing needs sideways scrolling on the narrowest screen. */
async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await page.setViewportSize({ width: narrowestPx, height: heightPx })
  const html = page.locator('html')
  await expect
    .poll(() => html.evaluate((element) => element.scrollWidth), {
      message: `width of what is on a ${narrowestPx} px wide screen`,
    })
    .toBeLessThanOrEqual(narrowestPx)
  // A dialog is on top of the page and does not widen it.
  for (const dialog of await page.getByRole('dialog').all()) {
    const box = await dialog.boundingBox()
    expect(box?.x, 'left edge of the dialog').toBeGreaterThanOrEqual(0)
    expect((box?.x ?? 0) + (box?.width ?? 0), 'right edge of the dialog').toBeLessThanOrEqual(
      narrowestPx,
    )
  }
  await page.setViewportSize({ width: widthsPx[0] ?? narrowestPx, height: heightPx })
}

/** Waits for animations to end, so that colours are not judged halfway through a fade. */
async function animationsDone(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const finite = document
      .getAnimations()
      .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
    await Promise.allSettled(finite.map((animation) => animation.finished))
  })
}

/** Starts to add up layout shifts. Call it before the page opens. */
export async function watchLayoutShift(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    let score = 0
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if ('value' in entry && typeof entry.value === 'number') score += entry.value
      }
      document.documentElement.dataset['layoutShift'] = String(score)
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return async () => {
    await page.evaluate(() => document.fonts.ready)
    // After two frames, the browser has measured the last change.
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          requestAnimationFrame(() => requestAnimationFrame(resolve))
        }),
    )
    return Number((await page.locator('html').getAttribute('data-layout-shift')) ?? 0)
  }
}
