import axe from 'axe-core'
import { expect } from 'vitest'
import { type Locator, page } from 'vitest/browser'

const wcagTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']
/** The narrowest screen that WCAG 1.4.10 asks for. */
const narrowestPx = 320
const phonePx = 360
const heightPx = 900

/**
 * What stands on the page now passes axe's rules for WCAG 2.2 A and AA. On a phone, where everything is
 * that a desktop has too, and closest together: once for each screen, since axe takes a tenth of a second.
 * @param part a dialog or a panel, judged alone; the whole page when left out
 */
export async function expectAccessible(part?: Locator): Promise<void> {
  const { innerWidth: usualPx } = window
  const judged = part === undefined ? document.documentElement : await part.findElement()
  await page.viewport(phonePx, heightPx)
  await animationsDone()
  const { violations } = await axe.run(judged, { runOnly: { type: 'tag', values: wcagTags } })
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`,
  )
  expect(found, 'what axe found').toEqual([])
  await expectNoSidewaysScroll()
  await page.viewport(usualPx, heightPx)
}

/** Nothing has to be scrolled sideways to be read, on the narrowest screen; the page stays on it. */
export async function expectNoSidewaysScroll(): Promise<void> {
  await page.viewport(narrowestPx, heightPx)
  await expect
    .poll(widthNeeded, { message: `px needed on a screen of ${narrowestPx}`, timeout: 1000 })
    .toBeLessThanOrEqual(narrowestPx)
}

/** Of the page, and of what lies above it without widening it. */
function widthNeeded(): number {
  const layers = page.getByRole('dialog').or(page.getByRole('menu')).elements()
  const edges = layers.map((layer) => layer.getBoundingClientRect())
  const outside = edges.map(({ left, right }) => Math.max(right, narrowestPx - left))
  return Math.max(document.documentElement.scrollWidth, ...outside)
}

/** Colours are judged as they end up, not halfway through a fade. */
async function animationsDone(): Promise<void> {
  const finite = document
    .getAnimations()
    .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(finite.map((animation) => animation.finished))
}
