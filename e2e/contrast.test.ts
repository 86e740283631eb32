import { judgeTextContrast } from './harness/text-contrast.ts'
import { expect, test } from './harness/test.ts'

const paths = [
  '/',
  '/explore',
  '/discover',
  '/observatory',
  '/dashboard',
  '/checks',
  '/account',
  '/connect',
  '/discover/islands',
  '/discover/charts',
  '/discover/signals',
  '/islands/thetravelerstavern',
  '/new-island',
  '/harbor-logs',
  '/library',
  '/library/safety',
  '/no/such/page',
]

// With reduced motion, the default in tests, every star is at its brightest.
for (const path of paths) {
  test(
    `text on ${path} has a contrast of 4.5:1 over the brightest frame of the sky, large text 3:1`,
    { tag: '@long' },
    async ({ page, user: _user, problems }) => {
      if (path === '/no/such/page') problems.expectFailure(404)
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
      for (const width of [1440, 360]) {
        await page.setViewportSize({ width, height: 900 })
        await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
        await expect(page.locator('.sky canvas')).toHaveAttribute('width', String(width))
        await expect(page.locator('.sky canvas')).toHaveAttribute('data-sky', 'still')
        let judged = 0
        for (let isEnd = false; !isEnd;) {
          let texts: Awaited<ReturnType<typeof judgeTextContrast>> = []
          // Loading content may move a text between measuring it and the screenshot.
          await expect
            .poll(
              async () => {
                texts = await judgeTextContrast(page)
                return texts.filter(({ ratio, isLarge }) => ratio < (isLarge ? 3 : 4.5))
              },
              { message: `at ${width} px` },
            )
            .toEqual([])
          judged += texts.length
          isEnd = await page.evaluate(() => {
            const before = scrollY
            scrollBy({ top: innerHeight * 0.9, behavior: 'instant' })
            return scrollY === before
          })
        }
        expect(judged).toBeGreaterThan(3)
      }
    },
  )
}
