import { search, type SearchResults } from '@astropelago/contract/search'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openPart, openScreen } from '../../test/open-screen.tsx'
import { sampleIsland } from '../../test/sample-island.ts'
import {
  answerNeighbours,
  sampleNeighbour,
  sampleNeighbourIsland,
} from '../../test/sample-neighbour.ts'
import { sampleUser } from '../../test/samples.ts'
import { NetworkSearch } from './network-search.tsx'
import { SearchShortcut } from './search-shortcut.tsx'

const box = page.getByRole('searchbox')
const link = (name: string | RegExp) => page.getByRole('link', { name })
const status = page.getByRole('status')
const dialog = page.getByRole('dialog', { name: 'Search' })

const none: SearchResults = {
  islands: [],
  satellites: [],
  neighbourIslands: [],
  neighbourSatellites: [],
  routes: [],
}
const found: SearchResults = {
  ...none,
  islands: [
    sampleIsland({
      slug: 'harbor-bar',
      name: 'Harbor bar',
      tagline: 'By the sea, with a very long tagline that has to end somewhere on a phone',
    }),
  ],
  satellites: [{ id: 'd1', label: 'Harbor light', status: 'online' }],
  routes: [
    { from: { slug: 'harbor-bar', name: 'Harbor bar' }, to: { slug: 'lab', name: 'Lab nine' } },
  ],
}

test('a paused island shows its host’s text in place of its tagline', async () => {
  const pause = { text: 'A new disk', until: '2099-01-02T03:04:00.000Z' }
  const islands = [sampleIsland({ name: 'Harbor bar', tagline: 'By the sea', pause })]
  answerApi(search, { status: 200, body: { ...none, islands } })
  await openSearch()
  await box.fill('harbor')
  await expect
    .element(link(/Harbor bar/))
    .toMatchTextContent('Back at Jan 2, 2099, 03:04 · A new diskPaused')
  expect(link(/Harbor bar/).element().textContent).not.toContain('By the sea')
})

const answerFound = () =>
  answerApi(search, ({ query: { q } }) => ({
    status: 200 as const,
    body: 'harbor bar'.startsWith(q) ? found : none,
  }))

const openSearch = (path = '/discover') =>
  openPart(<NetworkSearch submit="Discover" />, { path, user: sampleUser })

const openShortcut = (user?: typeof sampleUser) =>
  openPart(<SearchShortcut />, user === undefined ? {} : { user })

test('results appear in groups while typing, and the text is in the address', async () => {
  const asked = answerFound()
  await openSearch()
  await expect
    .element(box)
    .toHaveAttribute('placeholder', 'Search islands, satellites, and routes...')
  await expect.element(box).toHaveAccessibleName('Search the network')
  await userEvent.type(box, 'harb')
  await expect
    .element(link(/^Harbor bar By the sea/))
    .toHaveAttribute('href', '/islands/harbor-bar')
  await expect.element(link(/^Harbor light/)).toHaveAttribute('href', '/devices/d1')
  await expect.element(link('Harbor bar to Lab nine')).toHaveAttribute('href', '/islands/lab')
  await expect.element(status).toHaveTextContent('Found 1 island, 1 satellite, 2 routes.')
  for (const name of ['Islands', 'Satellites', 'Routes']) {
    await expect.element(page.getByRole('region', { name })).toBeVisible()
  }
  await expect.poll(() => window.location.search).toBe('?q=harb')
  // The search uses the text after a pause in typing.
  expect(asked.map(({ query }) => query.q).at(-1)).toBe('harb')
  expect(asked.length).toBeLessThan(4)
})

test('the text in the address is searched for at once, and a search without results says so', async () => {
  const asked = answerFound()
  await openSearch('/discover?q=atlantis')
  await expect.element(box).toHaveValue('atlantis')
  await expect
    .element(status)
    .toHaveTextContent('Nothing that you can see is called “atlantis”. Try a part of its name.')
  expect(new Set(asked.map(({ query }) => query.q))).toEqual(new Set(['atlantis']))
})

test('arrows move through the results; Escape returns to the field, then empties it', async () => {
  answerFound()
  await openSearch('/discover?q=harbor')
  await expect.element(link(/^Harbor light/)).toBeVisible()
  await box.click()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(link(/^Harbor bar By/)).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(link(/^Harbor light/)).toHaveFocus()
  await userEvent.keyboard('{End}')
  await expect.element(link('Harbor bar to Lab nine')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{Home}{ArrowUp}')
  await expect.element(box).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Escape}')
  await expect.element(box).toHaveFocus()
  await expect.element(box).toHaveValue('harbor')
  await userEvent.keyboard('{Escape}')
  await expect.element(box).toHaveValue('')
  await expect.element(link(/^Harbor light/)).not.toBeInTheDocument()
  await expect.poll(() => window.location.search).toBe('')
})

test('screens are found by name and content, without a request', async () => {
  answerApi(search, { status: 200, body: none })
  await openSearch('/discover?q=passw')
  await expect.element(link('Account Screen')).toHaveAttribute('href', '/account')
})

test('a search that fails says so and can be tried again', async () => {
  let isDown = true
  answerApi(search, () => (isDown ? refused('overloaded') : { status: 200 as const, body: found }))
  await openSearch('/discover?q=harbor')
  await expect.element(page.getByText('The search did not answer.')).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(link(/^Harbor light/)).toBeVisible()
})

test('Ctrl+K opens the search anywhere, Enter opens the first result, Escape closes it', async () => {
  answerFound()
  await openShortcut(sampleUser)
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(dialog).toBeVisible()
  await expect.element(box).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await userEvent.keyboard('{Meta>}k{/Meta}')
  await userEvent.type(box, 'harbor{Enter}')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.poll(() => window.location.pathname).toBe('/islands/harbor-bar')
})

test('signed out, it finds public results and screens', async () => {
  answerFound()
  await openShortcut()
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(box, 'harbor')
  await expect.element(link(/^Harbor light/)).toBeVisible()
  await userEvent.clear(box)
  await userEvent.type(box, 'expl')
  await expect.element(link('Explore Screen')).toHaveAttribute('href', '/explore')
})

test('axe finds nothing and nothing overflows, on a phone too', async () => {
  answerFound()
  await page.viewport(360, 900)
  await openScreen('/discover?q=harbor', { user: sampleUser })
  await expect.element(link(/^Harbor light/)).toBeVisible()
  await expectAccessible()
  await userEvent.keyboard('{Control>}k{/Control}')
  await userEvent.type(dialog.getByRole('searchbox'), 'harbor')
  await expect.element(dialog.getByRole('link', { name: /^Harbor light/ })).toBeVisible()
  await expectAccessible()
})

test('what neighbours share is found apart, with its installation, and leads there', async () => {
  const neighbourSatellites = [
    { id: 'reef:a b', label: 'Harbor buoy', lat: 1, lon: 2, status: 'online' as const },
    { id: 'gone:x', label: 'Harbor ghost', lat: 1, lon: 2, status: 'online' as const },
  ]
  const neighbourIslands = [sampleNeighbourIsland({ name: 'Harbor Cinema' })]
  const body = { ...none, neighbourIslands, neighbourSatellites }
  answerNeighbours(sampleNeighbour())
  answerApi(search, { status: 200, body })
  await openSearch('/discover?q=harbor')
  await expect.element(status).toHaveTextContent('Found 1 route, 2 at neighbours.')
  const cinema = link(/^Harbor Cinema/)
  await expect.element(cinema).toMatchTextContent('Reef Sky')
  await expect.element(cinema).toHaveAttribute('href', 'https://reef.example/islands/coral-cinema')
  await expect.element(cinema).toHaveAttribute('target', '_blank')
  await expect
    .element(link(/^Harbor buoy/))
    .toHaveAttribute('href', 'https://reef.example/devices/a%20b')
  await expect.element(link(/Harbor ghost/)).not.toBeInTheDocument()
  await expectAccessible()
})
