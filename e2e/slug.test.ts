import { register } from '@astropelago/contract/accounts'
import { newCredentials } from './harness/new-credentials.ts'
import { signInForm } from './harness/sign-in-form.ts'
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

test('a host that is a bare IP address has no subdomains: the slug leads to /discover with a line that says so', async ({
  page,
  server,
}) => {
  const address = `http://127.0.0.1:${new URL(server.url).port}`
  const answer = await page.request.post(`${address}${register.path}`, { data: newCredentials() })
  expect(answer.status()).toBe(201)
  await page.goto(`${address}/explore`)
  await page.getByRole('link', { name: 'Learn more' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(notice)
  await page.goBack()
  await expect(page).toHaveURL(`${address}/explore`)
})

test('the line is not there for those who come by themselves', async ({ page, user }) => {
  await page.goto('/discover')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
  await expect(page.getByText(notice)).toHaveCount(0)
})

test('an unknown slug redirects a visitor to /discover, and so to the guard', async ({
  page,
  problems,
}) => {
  problems.expectFailure(401)
  await page.goto('/no-such-island')
  await expect(page).toHaveURL('/explore?signin=1')
  await expect(signInForm(page).dialog).toBeVisible()
})

for (const path of ['/a/b', '/thetravelerstavern/hall']) {
  test(`one segment only: ${path} is the not-found page with status 404`, async ({
    page,
    problems,
  }) => {
    problems.expectFailure(404)
    const answer = await page.goto(path)
    expect(answer?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing at this address')
    await expect(page).toHaveURL(path)
  })
}

for (const path of ['/robots.txt', '/manifest.webmanifest', '/missing.png', '/assets/gone.js']) {
  test(`${path} never becomes a slug`, async ({ request }) => {
    const answer = await request.get(path)
    expect([200, 404]).toContain(answer.status())
    expect(answer.headers()['content-type']).not.toContain('text/html')
  })
}
