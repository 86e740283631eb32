import { observatoryParts } from './harness/observatory-parts.ts'
import { expect, test } from './harness/test.ts'

/** One more than the server lists. */
const count = 100_001

/** The globe is drawn in software, which takes the whole machine at first. */
const arrival = { timeout: 40_000 }

test.use({ seed: { devices: count } })

test(
  'of 100,001 devices 100,000 are listed: the page says which, a key reaches the last one, and a search filters them',
  { tag: '@long' },
  async ({ page, user: _user }) => {
    const { status, grid, rows, row, search, listCount } = observatoryParts(page)
    await page.goto('/observatory')
    await expect(status).toContainText(
      'These are the 100,000 devices last seen, of 100,001 that are public.',
      arrival,
    )
    await expect(grid).toHaveAttribute('aria-rowcount', '100001', arrival)
    await row(1).focus()
    await page.keyboard.press('End')
    await expect(row(100_000)).toBeFocused()
    await expect(row(100_000)).toBeInViewport({ ratio: 0.9 })
    expect(await rows.count()).toBeLessThan(40)
    await search.pressSequentially('island 4242')
    await expect(listCount).toHaveText(/^\d+ of 100,000 devices$/)
    await expect(rows.first()).toContainText('Island 4242')
    expect(Number(await grid.getAttribute('aria-rowcount'))).toBeLessThan(20)
  },
)
