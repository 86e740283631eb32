import { register } from '@astropelago/contract/accounts'
import { newCredentials } from './harness/new-credentials.ts'
import { expect, test } from './harness/test.ts'

const notice = 'The Travelers Tavern has a subdomain of its own'

test("'Learn more' leads to the tavern, replacing the slug in history", async ({
  page,
  server,
}) => {
  const tavern = `http://thetravelerstavern.localhost:${new URL(server.url).port}/`
  await page.route(tavern, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>The tavern</title>' }),
  )
  await page.goto('/explore')
  await page.getByRole('link', { name: 'Learn more' }).click()
  await expect(page).toHaveURL(tavern)
  await page.goBack()
  await expect(page).toHaveURL('/explore')
})

test(
  'a host that is a bare IP address has no subdomains: the slug leads to /discover with a line that says so',
  { tag: '@long' },
  async ({ page, server }) => {
    const address = `http://127.0.0.1:${new URL(server.url).port}`
    const answer = await page.request.post(`${address}${register.path}`, { data: newCredentials() })
    expect(answer.status()).toBe(201)
    await page.goto(`${address}/explore`)
    await page.getByRole('link', { name: 'Learn more' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
    await expect(page.getByRole('main')).toContainText(notice)
    await page.goBack()
    await expect(page).toHaveURL(`${address}/explore`)
  },
)
