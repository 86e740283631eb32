import axe, { type RunOptions } from 'axe-core'
import { expect } from 'vitest'
import { type Locator, page } from 'vitest/browser'

/** The narrowest screen that WCAG 1.4.10 asks for. */
const narrowestPx = 320
const desktopPx = 1440
const heightPx = 900

const rules: RunOptions = {
  runOnly: {
    type: 'tag',
    values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'],
  },
  resultTypes: ['violations'],
}

/**
 * What stands on the page now passes axe's rules for WCAG 2.2 A and AA, and is read without scrolling
 * sideways, on the narrowest screen: there everything is, at its closest. What only a wide screen has
 * is judged by `expectAccessibleOnDesktop`. A run takes 100 ms of processor time: judge a screen once.
 * @param part a dialog or a panel, judged alone; the whole page when left out
 */
export async function expectAccessible(part?: Locator): Promise<void> {
  const { innerWidth: usualPx } = window
  await expectNoSidewaysScroll()
  await expectNoViolations(part === undefined ? document.documentElement : await part.findElement())
  await page.viewport(usualPx, heightPx)
}

/** For a page with other elements on a wide screen, as where a table stands in the place of a list. */
export async function expectAccessibleOnDesktop(): Promise<void> {
  expect(window.innerWidth, 'px of a desktop').toBe(desktopPx)
  await expectNoViolations(document.documentElement)
}

/** Nothing has to be scrolled sideways to be read, on the narrowest screen; the page stays on it. */
export async function expectNoSidewaysScroll(): Promise<void> {
  await page.viewport(narrowestPx, heightPx)
  await expect
    .poll(widthNeeded, { message: `px needed on a screen of ${narrowestPx}`, timeout: 1000 })
    .toBeLessThanOrEqual(narrowestPx)
}

async function expectNoViolations(judged: Element): Promise<void> {
  await animationsDone()
  const { violations } = await axe.run(judged, rules)
  const found = violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`,
  )
  expect(found, `axe at ${window.innerWidth} px`).toEqual([])
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
