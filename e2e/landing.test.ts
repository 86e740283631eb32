import { landing } from './harness/landing-parts.ts'
import { expect, test } from './harness/test.ts'

test('#connect works on a first load and from another page, and focuses its heading', async ({
  page,
}) => {
  const { connectHeading } = landing(page)
  await page.goto('/#connect')
  await expect(connectHeading).toBeFocused()
  await expect(connectHeading).toBeInViewport()
  await page.goto('/explore')
  const footer = page.getByRole('contentinfo')
  await footer.getByRole('link', { name: 'Connect your device' }).click()
  await expect(page).toHaveURL('/#connect')
  await expect(connectHeading).toBeFocused()
  await expect(connectHeading).toBeInViewport()
  await page.goBack()
  await expect(page).toHaveURL('/explore')
  await footer.getByRole('link', { name: 'Safety & trust' }).click()
  await expect(page).toHaveURL('/#safety')
  await expect(page.getByRole('heading', { name: 'Safety & trust' })).toBeFocused()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the page is readable, and the jump link works', async ({ page }) => {
    await page.goto('/')
    const { notice, connectAction, connectHeading, part } = landing(page)
    await expect(notice).toBeVisible()
    await part('FAQ').getByText('What can I host?').click()
    await expect(part('FAQ').getByText(/^Chats, files/)).toBeVisible()
    await connectAction.click()
    await expect(connectHeading).toBeInViewport()
  })
})
