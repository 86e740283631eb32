import { passwordLogin } from '@astropelago/contract/accounts'
import { getIsland } from '@astropelago/contract/islands'
import { Link, Route, Routes } from 'react-router'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { pageRoute } from '../../lib/router/page-route.tsx'
import { answerApi } from '../../test/answer-api.ts'
import { watchDepartures } from '../../test/departures.ts'
import { openPart, openRoutes, openScreen } from '../../test/open-screen.tsx'
import { sampleView } from '../../test/sample-island.ts'
import { sampleUser } from '../../test/samples.ts'
import { SlugPage } from './slug-page.tsx'

const pages = (
  <Routes>
    <Route path="/:slug" element={<SlugPage />} />
    <Route path="/islands/:slug" element={<h1>Its page</h1>} />
  </Routes>
)

test.each(['thetravelerstavern', 'TheTravelersTavern'])(
  'within the app /%s leads to the lounge’s page without signing in, replacing history',
  async (slug) => {
    const before = window.history.length
    await openPart(pages, { path: `/${slug}` })
    await expect.element(page.getByRole('heading', { name: 'Its page' })).toBeVisible()
    expect(window.location.pathname).toBe('/islands/thetravelerstavern')
    expect(window.history.length).toBe(before)
  },
)

test('an unknown slug leads to Discover, replacing history', async () => {
  const before = window.history.length
  await openScreen('/no-such-island', { user: sampleUser })
  await expect.element(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
  expect(window.location.pathname + window.location.search).toBe('/discover')
  expect(window.history.length).toBe(before)
  await expect.element(page.getByText(/^There is nothing at \/no-such-island\./)).toBeVisible()
})

test('the slug of a visible island leads to its page under the new slug, replacing history', async () => {
  const before = window.history.length
  const asked = answerApi(getIsland, { status: 200, body: sampleView({ slug: 'moss' }) })
  await openPart(pages, { path: '/Old-Moss', user: sampleUser })
  await expect.element(page.getByRole('heading', { name: 'Its page' })).toBeVisible()
  expect(asked[0]?.params.slug).toBe('old-moss')
  expect(window.location.pathname).toBe('/islands/moss')
  expect(window.history.length).toBe(before)
})

test('a visitor signs in first and returns to the slug, whether an island has it or not', async () => {
  answerApi(passwordLogin, { status: 200, body: { user: sampleUser } })
  const departures = watchDepartures()
  await openScreen('/moss-garden')
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await dialog.getByLabelText('Username').fill('someone')
  expect(window.location.pathname + window.location.search).toBe('/explore?signin=1')
  await dialog.getByLabelText('Password').fill('a long passphrase')
  // Users who sign in later, from the menu, return as well.
  expect(window.sessionStorage.getItem('astropelago.way-back')).toContain('/moss-garden')
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await expect.poll(() => departures).toEqual([{ type: 'replace', to: '/moss-garden' }])
})

test('a signed-out visitor is redirected once, however long the page takes to load', async () => {
  const code = Promise.withResolvers<void>()
  const discover = pageRoute({
    path: '/discover',
    fetchPage: async () => {
      await code.promise
      return () => <h1>Discover</h1>
    },
    Failure: () => null,
  })
  // Entries ahead, which another test may have left, would go.
  window.history.pushState(null, '', '/')
  await openRoutes([
    { path: '/', element: <Link to="/moss-garden">Moss garden</Link> },
    { path: '/:slug', element: <SlugPage /> },
    discover,
  ])
  const entries = window.history.length
  await page.getByRole('link').click()
  await expect.poll(() => window.location.pathname).toBe('/moss-garden')
  await new Promise((resolve) => setTimeout(resolve, 100))
  code.resolve()
  await expect.element(page.getByRole('heading', { name: 'Discover' })).toBeVisible()
  expect(window.location.pathname).toBe('/discover')
  expect(window.history.length).toBe(entries + 1)
})

test.each(['/robots.html', '/a+b', '/@someone', '/a%20b', '/%F0%9F%9B%B0', '/a:b', '/~', '/x/'])(
  '%s, with a dot or a sign, is a slug like any other',
  async (path) => {
    await openScreen(path, { user: sampleUser })
    await expect.element(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
    expect(window.location.pathname).toBe('/discover')
  },
)

test.each(['/a/b', '/thetravelerstavern/hall'])(
  '%s is not a slug, so the page is not found',
  async (path) => {
    await openScreen(path)
    await expect
      .element(page.getByRole('heading', { level: 1 }))
      .toHaveTextContent('Nothing at this address')
    await expect.element(page.getByRole('main')).toMatchTextContent(path)
    expect(window.location.pathname).toBe(path)
  },
)
