import { expect, test } from './harness/test.ts'

test("'Learn more' leads signed-out visitors straight to the lounge's page, also at an IP address", async ({
  page,
  server,
}) => {
  const { port } = new URL(server.url)
  for (const host of ['localhost', '127.0.0.1']) {
    await page.goto(`http://${host}:${port}/explore`)
    await page.getByRole('link', { name: 'Learn more' }).click()
    await expect(page).toHaveURL(`http://${host}:${port}/islands/thetravelerstavern`)
    await expect(page.getByRole('heading', { level: 1, name: 'Community Lounge' })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(`http://${host}:${port}/explore`)
  }
})
