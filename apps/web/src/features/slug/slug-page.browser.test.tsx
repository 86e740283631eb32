import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { watchDepartures } from '../../test/departures.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleUser } from '../../test/samples.ts'

test.each(['thetravelerstavern', 'TheTravelersTavern'])(
  "/%s leaves for the tavern's own subdomain, replacing history",
  async (slug) => {
    const departures = watchDepartures()
    await openScreen(`/${slug}`)
    const to = `http://thetravelerstavern.${window.location.host}/`
    await expect.poll(() => departures[0]).toEqual({ type: 'replace', to })
    await expect.element(page.getByRole('main').getByRole('link')).toHaveAttribute('href', to)
  },
)

test('an unknown slug leads to Discover, replacing history', async () => {
  const before = window.history.length
  await openScreen('/no-such-island', { user: sampleUser })
  await expect.element(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
  expect(window.location.pathname + window.location.search).toBe('/discover')
  expect(window.history.length).toBe(before)
})

test.each(['/robots.html', '/a+b', '/@someone', '/a%20b', '/%F0%9F%9B%B0', '/a:b', '/~', '/x/'])(
  '%s, with a dot or a sign, is a slug like any other',
  async (path) => {
    await openScreen(path, { user: sampleUser })
    await expect.element(page.getByRole('heading', { level: 1, name: 'Discover' })).toBeVisible()
    expect(window.location.pathname).toBe('/discover')
  },
)

test.each(['/a/b', '/thetravelerstavern/hall'])('%s is no slug: nothing is there', async (path) => {
  await openScreen(path)
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Nothing at this address')
  await expect.element(page.getByRole('main')).toMatchTextContent(path)
  expect(window.location.pathname).toBe(path)
})
