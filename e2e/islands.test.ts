import { createInvitation } from '@astropelago/contract/island-members'
import { publishIsland } from '@astropelago/contract/islands'
import { askApi } from './harness/ask-api.ts'
import { flippingDevice } from './harness/flipping-device.ts'
import { makeIsland } from './harness/islands.ts'
import { newCredentials } from './harness/new-credentials.ts'
import { openElsewhere } from './harness/open-elsewhere.ts'
import { shownAt } from './harness/shown-at.ts'
import { signInForm } from './harness/sign-in-form.ts'
import { signUp } from './harness/sign-up.ts'
import { expect, test } from './harness/test.ts'

/** Measured from the durable change to the last page that shows it. */
const liveBudgetMs = 1000
const windowMs = 4000
/** How often the server sweeps devices whose deadline has passed. */
const sweepMs = 1000

test.use({ serverSettings: { ONLINE_WINDOW_S: String(windowMs / 1000) } })
test.beforeEach(({ user }) => expect(user.username).toBeDefined())

test('another user finds a public island, enters it in a tab isolated from the site, and leaves a note that the host sees at once; when its access ends, it disappears', async ({
  page,
  browser,
  server,
  problems,
}) => {
  const { request } = page.context()
  const { id, name, slug } = await makeIsland(request, { address: `${server.url}/healthz` })
  const params = { id }
  await askApi(request, publishIsland, { params, data: { access: 'public', isListed: true, slug } })
  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'Your islands' })).toContainText(name)

  const context = await openElsewhere({ browser, server, problems })
  await signUp(context, server)
  const visitor = await context.newPage()
  await visitor.goto('/discover')
  await visitor.getByRole('searchbox', { name: 'Search the network' }).fill(name)
  await visitor.getByRole('main').getByRole('link', { name }).first().click()
  await expect(visitor).toHaveURL(`/islands/${slug}`)

  const opened = context.waitForEvent('page')
  await visitor.getByRole('link', { name: /^Enter/ }).click()
  const tab = await opened
  await expect(tab).toHaveURL('/healthz')
  const known = await tab.evaluate(() => ({ opener: window.opener, from: document.referrer }))
  expect(known).toEqual({ opener: null, from: '' })
  await tab.close()

  await visitor.getByRole('textbox', { name: 'Leave a note' }).fill('Fair winds!')
  await visitor.getByRole('button', { name: 'Leave note' }).click()
  await expect(visitor.getByRole('listitem').filter({ hasText: 'Fair winds!' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Recent activity' })).toContainText('Fair winds!')

  problems.expectFailure(404)
  const gone = expect(visitor.getByRole('heading', { level: 1 })).toHaveText(
    'Nothing here that you can see',
  )
  await askApi(request, publishIsland, { params, data: { access: 'invited', isListed: false } })
  await gone
  await context.close()
})

test('an invitation leads through signing up into a members’ island; once it is public, everybody sees it open and close within 1 s', async ({
  page,
  browser,
  server,
  problems,
}) => {
  const { request } = page.context()
  const { device, comeOnline } = await flippingDevice(request)
  const { id, name, slug } = await makeIsland(request, {
    address: `${server.url}/healthz`,
    carrier: device.id,
  })
  const params = { id }
  await askApi(request, publishIsland, {
    params,
    data: { access: 'invited', isListed: false, slug },
  })
  const { link } = await askApi(request, createInvitation, { params, data: {} })

  const invited = await (await openElsewhere({ browser, server, problems })).newPage()
  await invited.goto(link)
  await invited.getByRole('link', { name: 'Sign in to accept' }).click()
  const form = signInForm(invited)
  const { username, password } = newCredentials()
  await form.username.fill(username)
  await form.password.fill(password)
  await form.register.click()
  await expect(invited).toHaveURL(link)
  await invited.getByRole('button', { name: `Join ${name}` }).click()
  await expect(invited.getByText('You are a member.')).toBeVisible()

  const published = await askApi(request, publishIsland, {
    params,
    data: { access: 'public', isListed: true, slug },
  })
  const stranger = await (await openElsewhere({ browser, server, problems })).newPage()
  await stranger.goto(`/islands/${published.slug}`)
  await page.goto('/dashboard')
  const seen = [
    invited.getByRole('region', { name, exact: true }),
    stranger.getByRole('region', { name, exact: true }),
    page.getByRole('region', { name: 'Your islands' }),
  ]
  for (const place of seen) await expect(place).toContainText('Closed')

  const opens = seen.map((place) => shownAt(place, '</svg>Open<'))
  const committedAt = await comeOnline()
  for (const at of await Promise.all(opens)) expect(at - committedAt).toBeLessThan(liveBudgetMs)
  const closes = seen.map((place) => shownAt(place, '</svg>Closed<'))
  for (const at of await Promise.all(closes)) {
    expect(at - committedAt).toBeLessThan(windowMs + sweepMs + liveBudgetMs)
  }
  await invited.context().close()
  await stranger.context().close()
})
