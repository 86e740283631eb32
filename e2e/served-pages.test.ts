import { expect, test } from './harness/test.ts'

test('[S25] the policy of each page allows nothing inline but by a nonce of its own', async ({
  request,
}) => {
  const nonces = new Set<string | undefined>()
  for (const path of ['/', '/explore', '/connect', '/some-slug']) {
    const answer = await request.get(path)
    const policy = answer.headers()['content-security-policy'] ?? ''
    expect(policy).not.toContain('unsafe')
    for (const directive of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(directive)
    }
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
    nonces.add(nonce)
    expect(await answer.text()).toContain(`nonce="${nonce}"`)
    expect(answer.headers()['cache-control']).toBe('no-store')
  }
  expect(nonces.size).toBe(4)
})

test('[S25] what breaks the policy is refused by the browser, so that silence means something', async ({
  page,
  problems,
}) => {
  await page.goto('/')
  await page.evaluate(() => {
    const style = document.createElement('style')
    style.textContent = 'body { outline: 1px solid red }'
    document.head.append(style)
  })
  await expect(page.locator('body')).toHaveCSS('outline-style', 'none')
  expect(problems.takeProblems(/Content Security Policy/)).toBeGreaterThan(0)
})

test('hashed files are kept for good: a second visit fetches none of them', async ({ page }) => {
  await page.goto('/explore')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const script = await page.locator('script[type=module]').getAttribute('src')
  const answer = await page.request.get(script ?? '')
  expect(answer.headers()['cache-control']).toBe('public, max-age=31536000, immutable')

  await page.goto('/explore')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const fetched = await page.evaluate(() => {
    const entries = performance.getEntriesByType('resource')
    const assets = entries.filter((entry) => new URL(entry.name).pathname.startsWith('/assets/'))
    return assets.map((entry) => 'transferSize' in entry && entry.transferSize)
  })
  expect(fetched.length).toBeGreaterThan(3)
  expect(fetched.every((bytes) => bytes === 0)).toBe(true)
})

test('an unknown path has a page that says so, with status 404', async ({ page, problems }) => {
  problems.expectFailure(404)
  const answer = await page.goto('/no/such/place')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing at this address')
  await expect(page.getByRole('main')).toContainText('/no/such/place')
  await page.getByRole('main').getByRole('link', { name: 'Explore' }).click()
  await expect(page).toHaveURL('/explore')
})

for (const slug of ['thetravelerstavern', 'TheTravelersTavern']) {
  test(`/${slug} leaves for the tavern's own subdomain`, async ({ page, server }) => {
    const { port } = new URL(server.url)
    const tavern = `http://thetravelerstavern.localhost:${port}/`
    await page.route(tavern, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>The tavern</title>' }),
    )
    await page.goto(`/${slug}`)
    await expect(page).toHaveURL(tavern)
    await expect(page).toHaveTitle('The tavern')
  })
}

test('an unknown slug leads to Discover, replacing history', async ({ page, user }) => {
  await page.goto('/explore')
  await expect(page.getByRole('link', { name: `Account ${user.username}` })).toBeVisible()
  await page.goto('/no-such-island')
  await expect(page).toHaveURL('/discover')
  await expect(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL('/explore')
})

test('/api/docs shows every call, without a complaint of the browser', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'API' }).click()
  await expect(page).toHaveURL(/\/api\/docs/)
  await expect(page.getByText('/api/devices/heartbeat-token')).toBeVisible()
  await expect(page.getByText('/api/auth/password-login')).toBeVisible()
})
