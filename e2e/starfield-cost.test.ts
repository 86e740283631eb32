import type { Page } from '@playwright/test'
import { frameCosts } from './harness/frame-costs.ts'
import { expect, test } from './harness/test.ts'

test.use({ reducedMotion: 'no-preference' })

const budgetMs = 2
/**
 * The alternative limit for slow machines, as a share of the reference. A frame took 0.5 to 0.9 of it, so the
 * test finds a frame that takes twice as long.
 */
const shareOfReference = 1.4

/** The median time to sort 20,000 numbers in this browser, in milliseconds. */
async function referenceMs(page: Page): Promise<number> {
  await page.goto('/healthz')
  return page.evaluate(() => {
    const times: number[] = []
    for (let round = 0; round < 31; round += 1) {
      const numbers = Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 20_011)
      const startedMs = performance.now()
      numbers.sort((one, other) => one - other)
      times.push(performance.now() - startedMs)
    }
    return times.toSorted((one, other) => one - other)[15] ?? 0
  })
}

test(
  'a frame costs the main thread at most 2 ms at 1440 x 900',
  { tag: '@long' },
  async ({ browser, page }) => {
    const beforeMs = await referenceMs(page)
    await page.goto('/explore')
    await expect(page.locator('.sky canvas')).toHaveAttribute('data-sky', 'moving')
    await page.mouse.move(300, 200)
    await page.waitForTimeout(1500)
    const costsMs = await frameCosts(browser, page, 3500)
    const reference = Math.max(beforeMs, await referenceMs(page))
    expect(costsMs.length).toBeGreaterThanOrEqual(120)
    const sorted = costsMs.toSorted((one, other) => one - other)
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Infinity
    const figures = [at(0.5), at(0.95), reference].map((ms) => `${ms.toFixed(2)} ms`)
    process.stdout.write(`starfield: median, p95, reference: ${figures.join(', ')}\n`)
    expect(at(0.5)).toBeLessThanOrEqual(Math.max(budgetMs, reference * shareOfReference))
  },
)
