import axe, { type RunOptions } from 'axe-core'
import { expect } from 'vitest'
import { type Locator, page } from 'vitest/browser'

/** The narrowest screen that WCAG 1.4.10 requires. */
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
 * Expects that the page passes axe's rules for WCAG 2.2 A and AA, and needs no sideways scrolling, on the
 * narrowest screen. All content is there, in its tightest layout. For content of wide screens use
 * `expectAccessibleOnDesktop`. A run takes 100 ms of processor time, so check a screen only once.
 * @param part the dialog or panel to check; the whole page if undefined
 */
export async function expectAccessible(part?: Locator): Promise<void> {
  const { innerWidth: usualPx } = window
  await expectNoSidewaysScroll()
  await expectNoViolations(part === undefined ? document.documentElement : await part.findElement())
  await page.viewport(usualPx, heightPx)
}

/** For pages with other elements on wide screens, such as a table instead of a list. */
export async function expectAccessibleOnDesktop(): Promise<void> {
  expect(window.innerWidth, 'px of a desktop').toBe(desktopPx)
  await expectNoViolations(document.documentElement)
}

/**
 * Expects that the page needs no sideways scrolling on the narrowest screen. The viewport stays that
 * narrow.
 */
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

/** The width of the page, including dialogs and menus, which lie above it without widening it. */
function widthNeeded(): number {
  const layers = page.getByRole('dialog').or(page.getByRole('menu')).elements()
  const edges = layers.map((layer) => layer.getBoundingClientRect())
  const outside = edges.map(({ left, right }) => Math.max(right, narrowestPx - left))
  return Math.max(document.documentElement.scrollWidth, ...outside)
}

/** Waits until fades end, because axe has to see the final colours. */
async function animationsDone(): Promise<void> {
  const finite = document
    .getAnimations()
    .filter((animation) => animation.effect?.getComputedTiming().endTime !== Infinity)
  await Promise.allSettled(finite.map((animation) => animation.finished))
}
