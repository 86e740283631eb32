import { expect, test } from './harness/test.ts'

test.use({ reducedMotion: 'no-preference' })

test(
  'the sky moves behind the page, and pausing it survives a reload',
  { tag: '@long' },
  async ({ page }) => {
    const sky = page.locator('.sky canvas')
    await page.goto('/explore')
    await expect(sky).toHaveAttribute('data-sky', 'moving')
    await page.getByRole('button', { name: 'Pause the stars' }).click()
    await expect(sky).toHaveAttribute('data-sky', 'still')

    await page.reload()
    await expect(sky).toHaveAttribute('data-sky', 'still')
    await expect(page.locator('html')).toHaveAttribute('data-motion', 'paused')
    await page.getByRole('button', { name: 'Move the stars' }).click()
    await expect(sky).toHaveAttribute('data-sky', 'moving')
  },
)
