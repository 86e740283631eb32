import type { Request } from '@playwright/test'
import { expect, test } from './harness/test.ts'

test('[S25] the browser refuses and reports violations of the policy', async ({
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

/** Collects the paths of assets. */
function noteAssets(paths: string[]) {
  return (request: Request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/assets/')) paths.push(pathname)
  }
}

test('code for dialogs is fetched in advance, and hashed files are cached for good: a second visit fetches none', async ({
  page,
}) => {
  const asked: string[] = []
  const answered: string[] = []
  page.on('request', noteAssets(asked))
  page.on('requestfinished', noteAssets(answered))
  await page.goto('/explore')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  for (const chunk of ['header-menu-list', 'sign-in-dialog']) {
    await expect.poll(() => asked.some((path) => path.startsWith(`/assets/${chunk}-`))).toBe(true)
  }
  const [script = ''] = /\/assets\/index-[^"]+\.js/.exec(await page.content()) ?? []
  const answer = await page.request.get(script)
  expect(answer.headers()['cache-control']).toBe('public, max-age=31536000, immutable')
  // The prefetched code has arrived too, and no more is asked for. The live feed never ends.
  await expect(async () => {
    const before = asked.length
    await page.waitForTimeout(500)
    expect([asked.length, answered.length]).toEqual([before, before])
  }).toPass()

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

test('an unknown path shows a page that says so, with status 404', async ({ page, problems }) => {
  problems.expectFailure(404)
  const answer = await page.goto('/no/such/place')
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing at this address')
  await expect(page.getByRole('main')).toContainText('/no/such/place')
  await page.getByRole('main').getByRole('link', { name: 'Explore' }).click()
  await expect(page).toHaveURL('/explore')
})

test(
  '/api/docs shows every call without an error in the browser',
  { tag: '@long' },
  async ({ page }) => {
    await page.goto('/')
    // What loads late moves the footer.
    await expect(async () => {
      await page.getByRole('contentinfo').getByRole('link', { name: 'API' }).click()
      await expect(page).toHaveURL(/\/api\/docs/, { timeout: 1500 })
    }).toPass()
    for (const [tag, path] of [
      ['Heartbeats', '/api/devices/heartbeat-token'],
      ['Accounts', '/api/auth/password-login'],
    ] as const) {
      await page.getByRole('heading', { name: tag }).click()
      await expect(page.getByText(path, { exact: true })).toBeVisible()
    }
  },
)

test('a signed-out visitor’s page is readable without JavaScript', async ({ request }) => {
  const html = await (await request.get('/explore')).text()
  for (const text of ['Community Lounge', 'Sign in to unlock', 'Harbor Logs', 'Island Builder']) {
    expect(html).toContain(text)
  }
  expect(html).not.toMatch(/\sstyle=/)
})

test('a file’s path is never taken for a slug, whether or not it exists', async ({ request }) => {
  for (const path of ['/robots.txt', '/manifest.webmanifest', '/assets/gone.js']) {
    const answer = await request.get(path)
    expect([200, 404]).toContain(answer.status())
    expect(answer.headers()['content-type']).not.toContain('text/html')
  }
})

test('what a visitor presses and types before the code has loaded is not lost', async ({
  page,
}) => {
  const { promise: codeMayLoad, resolve: loadCode } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await codeMayLoad
    await route.continue()
  })
  await page.goto('/explore')
  const search = page.getByRole('searchbox', { name: 'Search the network' })
  await search.fill('harbour')
  await page.getByRole('button', { name: 'Menu' }).click()
  loadCode()
  await expect(page.getByRole('menuitem', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(search).toHaveValue('harbour')
  await expect(page).toHaveURL('/explore?q=harbour')
})
