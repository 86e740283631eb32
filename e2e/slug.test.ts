import { expect, test } from './harness/test.ts'

test("'Learn more' leads signed-out visitors straight into the lounge, and to its page at an IP address", async ({
  page,
  server,
}) => {
  const { port } = new URL(server.url)
  for (const [host, lounge] of [
    ['localhost', `http://thetravelerstavern.localhost:${port}/`],
    // From there, the lounge's host name may not resolve.
    ['127.0.0.1', `http://127.0.0.1:${port}/islands/thetravelerstavern`],
  ]) {
    await page.goto(`http://${host}:${port}/explore`)
    await page.getByRole('link', { name: 'Learn more' }).click()
    await expect(page).toHaveURL(lounge ?? '')
    await expect(page.getByRole('heading', { level: 1, name: 'Community Lounge' })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(`http://${host}:${port}/explore`)
  }
})
