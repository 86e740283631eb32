import { listAnnouncements } from '@astropelago/contract/announcements'
import { listIslands, listSignals } from '@astropelago/contract/island-directory'
import type { LogEntry } from '@astropelago/contract/island-log'
import type { IslandCard } from '@astropelago/contract/islands'
import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { listNeighbourIslands, type NeighbourIsland } from '@astropelago/contract/neighbours'
import { neighbourChoice } from '../../neighbours/neighbour-choice.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { answerFeed } from '../../test/answer-feed.ts'
import {
  answerNeighbours,
  sampleNeighbour,
  sampleNeighbourIsland,
} from '../../test/sample-neighbour.ts'
import { watchDepartures } from '../../test/departures.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleIsland } from '../../test/sample-island.ts'
import { sampleUser } from '../../test/samples.ts'

const button = (name: string) => page.getByRole('button', { name })
const categories = page.getByRole('region', { name: 'Categories' })
const bar = page.getByRole('navigation', { name: 'Categories' })
const cards = categories.getByRole('listitem')
const names = ['Mothership', 'Islands', 'Satellites', 'Charts', 'Signals', 'Library']

const openDiscover = (path = '/discover') => openScreen(path, { user: sampleUser })

describe('first of all', () => {
  const main = page.getByRole('main')
  /** What stands above everything else. */
  const first = () => main.element().firstElementChild?.firstElementChild

  const lounge = page.getByRole('region', { name: 'Community Lounge' })

  test('the lounge, which one enters by a page load; its name leads to its page', async () => {
    answerLounge()
    await openDiscover()
    await expect.element(lounge.getByText('Open', { exact: true })).toBeVisible()
    expect(first()).toBe(lounge.element())
    const enter = lounge.getByRole('link', { name: 'Enter' })
    await expect.element(enter).toHaveAttribute('href', '/thetravelerstavern')
    await expect.element(enter).toHaveAccessibleDescription('Community Lounge')
    await expect
      .element(lounge.getByRole('link', { name: 'Community Lounge' }))
      .toHaveAttribute('href', '/islands/thetravelerstavern')
    await expectAccessible()
    const departures = watchDepartures()
    await enter.click()
    expect(departures).toEqual([{ type: 'push', to: '/thetravelerstavern' }])
  })

  test('a paused lounge says why, and opens its page', async () => {
    answerLounge({ isOpen: false, pause: { text: 'Painting the walls', until: null } })
    await openDiscover()
    await expect.element(lounge.getByText('Paused')).toBeVisible()
    await expect.element(lounge.getByText('Painting the walls')).toBeVisible()
    await expect
      .element(lounge.getByRole('link', { name: 'Open' }))
      .toHaveAttribute('href', '/islands/thetravelerstavern')
  })

  test.each([
    ['there', 'Community Lounge', () => directoryOf([sampleIsland({ name: 'Community Lounge' })])],
    ['not listed', 'Your first island in a minute', () => directoryOf([])],
    ['not to be loaded', 'Your first island in a minute', () => refused('rate_limited')],
  ])('nothing moves once the lounge is %s: %s', async (_, name, reply) => {
    const held = Promise.withResolvers<ReturnType<typeof reply>>()
    answerApi(listIslands, () => held.promise)
    await page.viewport(360, 900)
    await openDiscover()
    const title = page.getByRole('heading', { level: 1 })
    await expect.element(title).toBeVisible()
    const before = title.element().getBoundingClientRect().top
    held.resolve(reply())
    await expect.element(page.getByRole('region', { name })).toBeVisible()
    expect(title.element().getBoundingClientRect().top).toBe(before)
  })

  test('a category shows itself, not the lounge', async () => {
    answerLounge()
    await openDiscover('/discover/mothership')
    await expect.element(page.getByText(/^No news right now\./)).toBeVisible()
    expect(lounge.length).toBe(0)
  })
})

test("'Categories' leads to the cards", async () => {
  await openDiscover()
  await button('Categories').click()
  const heading = page.getByRole('heading', { name: 'Categories' })
  await expect.element(heading).toHaveFocus()
  await expect.element(heading).toBeInViewport()
})

test('six cards lead to their categories, do not overlap, and stay inside the chart', async () => {
  await openDiscover()
  await expect.element(cards.first()).toBeVisible()
  expect(textsOf(cards.getByRole('heading').elements())).toEqual(names)
  for (const text of textsOf(cards.getByRole('paragraph').elements())) expect(text).toMatch(/\.$/)
  expect(hrefsOf(categories.getByRole('link').elements())).toEqual(
    names.map((name) => `/discover/${name.toLowerCase()}`),
  )

  for (const width of [320, 768, 1024, 1440]) {
    await page.viewport(width, 900)
    await expect.poll(() => window.innerWidth).toBe(width)
    const edges = categories.element().getBoundingClientRect()
    const boxes = cards.elements().map((card) => card.getBoundingClientRect())
    for (const [index, one] of boxes.entries()) {
      expect(one.left).toBeGreaterThanOrEqual(edges.left)
      expect(one.right).toBeLessThanOrEqual(edges.right)
      expect(one.bottom).toBeLessThanOrEqual(edges.bottom)
      const overlapping = boxes.slice(index + 1).filter((other) => {
        const isBeside = one.right <= other.left || other.right <= one.left
        const isBelow = one.bottom <= other.top || other.bottom <= one.top
        return !isBeside && !isBelow
      })
      expect(overlapping, `at ${width} px`).toEqual([])
    }
  }
})

test('a card opens its category, which gets the focus; the bar leads to the others, and Back returns', async () => {
  answerApi(listSignals, { status: 200, body: { signals: [], next: null } })
  await openDiscover()
  await cards.getByRole('link', { name: 'Signals' }).click()
  const signals = page.getByRole('heading', { level: 2, name: 'Signals' })
  await expect.element(signals).toHaveFocus()
  await expect.element(page.getByText('No signals yet')).toBeVisible()
  await expect
    .element(bar.getByRole('link', { name: 'Signals' }))
    .toHaveAttribute('aria-current', 'page')
  await expect.poll(() => document.title).toBe('Signals · Discover · Astropelago')
  await bar.getByRole('link', { name: 'Library' }).click()
  await expect.element(page.getByRole('heading', { level: 2, name: 'Library' })).toHaveFocus()
  await expect.element(page.getByRole('link', { name: 'Your first device' })).toBeVisible()
  window.history.back()
  await expect.element(signals).toBeVisible()
  window.history.back()
  await expect.element(cards.first()).toBeVisible()
})

test('an unknown category opens none', async () => {
  await openDiscover('/discover?category=treasure')
  await expect.element(cards.first()).toBeVisible()
})

test('Mothership: nothing without announcements, and the help links lead to guides', async () => {
  await openDiscover('/discover/mothership')
  await expect.element(page.getByText(/^No news right now\./)).toBeVisible()
  const help = page.getByRole('region', { name: 'Help' })
  expect(hrefsOf(help.getByRole('link').elements())).toEqual([
    '/library/stays-closed',
    '/library/first-device',
    '/library/safety',
  ])
  await expectAccessible()
})

test('Mothership: a failed load of the announcements can be tried again', async () => {
  answerApi(listAnnouncements, refused('rate_limited'))
  await openDiscover('/discover/mothership')
  const failure = page.getByText('The announcements could not be loaded.')
  await expect.element(failure).toBeVisible()
  answerApi(listAnnouncements, { status: 200, body: [] })
  await button('Try again').click()
  await expect.element(page.getByText(/^No news right now\./)).toBeVisible()
})

test('Islands: kind, state and order are in the address', async () => {
  const asked = answerApi(listIslands, ({ query }) =>
    directoryOf(query.kind === 'lab' ? [] : [sampleIsland()]),
  )
  await openDiscover('/discover/islands?kind=media')
  await expect.element(page.getByText('1 island', { exact: true })).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Harbour Tales' }))
    .toHaveAttribute('href', '/islands/harbour-tales')
  await page.getByRole('combobox', { name: 'Order' }).selectOptions('Newest first')
  await page.getByRole('checkbox', { name: 'Open now' }).click()
  await expect.poll(() => window.location.search).toBe('?kind=media&sort=newest&state=open')
  await expect
    .poll(() => asked.at(-1)?.query)
    .toMatchObject({ kind: 'media', state: 'open', sort: 'newest' })
  await expectAccessible()
  await page.getByRole('combobox', { name: 'Kind' }).selectOptions('Creative labs')
  await expect.element(page.getByText('No island fits')).toBeVisible()
  await button('Show all islands').click()
  await expect.poll(() => window.location.search).toBe('?sort=newest')
  await expect.element(page.getByRole('link', { name: 'Harbour Tales' })).toBeVisible()
})

test('Islands: the next page follows the last, and an island on both pages is shown once', async () => {
  const [one, two, three] = ['One', 'Two', 'Three'].map((name) => sampleIsland({ name }))
  if (!one || !two || !three) throw new Error('Three islands were made')
  answerApi(listIslands, ({ query }) =>
    query.after === 'page-2' ? directoryOf([two, three]) : directoryOf([one, two], 'page-2'),
  )
  await openDiscover('/discover/islands')
  await button('Show more').click()
  const shown = page.getByRole('article')
  await expect
    .poll(() => shown.elements().map((card) => card.getAttribute('aria-label')))
    .toEqual(['One', 'Two', 'Three'])
  await expect.element(button('Show more')).not.toBeInTheDocument()
})

test('Islands: an empty directory says what to do next, a failed one offers another try', async () => {
  answerApi(listIslands, refused('rate_limited'))
  await openDiscover('/discover/islands')
  await expect.element(page.getByText('The islands could not be loaded.')).toBeVisible()
  answerApi(listIslands, { status: 200, body: { islands: [], total: 0, next: null } })
  await button('Try again').click()
  await expect.element(page.getByText('No islands in the directory yet')).toBeVisible()
  const make = page.getByRole('main').getByRole('link', { name: 'Make an island' })
  expect(hrefsOf(make.elements())).toEqual(['/new-island', '/new-island'])
  await expect
    .element(page.getByRole('link', { name: 'Your first island in a minute' }))
    .toHaveAttribute('href', '/library/first-island')
})

test('Signals: upcoming events come first, in the reader’s time zone, and text stays text', async () => {
  const hourMs = 3_600_000
  const eventAt = new Date(Date.now() + hourMs).toISOString()
  answerApi(listSignals, {
    status: 200,
    body: {
      signals: [
        { island: sampleIsland(), entry: sampleSignal({ text: 'Game night', eventAt }) },
        { island: sampleIsland(), entry: sampleSignal({ text: '<b>New pier</b>' }) },
      ],
      next: null,
    },
  })
  await openDiscover('/discover/signals')
  const toCome = page.getByRole('region', { name: 'To come' })
  await expect.element(toCome.getByText('Game night')).toBeVisible()
  await expect.element(toCome.getByText(/UTC$/)).toHaveAttribute('datetime', eventAt)
  const lately = page.getByRole('region', { name: 'Lately' })
  await expect.element(lately.getByText('<b>New pier</b>')).toBeVisible()
  await expectAccessible()
})

function answerLounge(details: Partial<IslandCard> = {}) {
  const lounge = sampleIsland({ slug: 'thetravelerstavern', name: 'Community Lounge', ...details })
  answerApi(listIslands, ({ query }) => directoryOf(query.slug === lounge.slug ? [lounge] : []))
}

function answerTheirs(...islands: NeighbourIsland[]) {
  answerNeighbours(sampleNeighbour(), sampleNeighbour({ id: 'far', name: 'Far Sky' }))
  return answerApi(listNeighbourIslands, ({ query: { of = '' } }) => {
    const found = islands.filter(({ neighbour }) => of.split(',').includes(neighbour))
    return { status: 200, body: { islands: found, total: found.length, next: null } }
  })
}

function directoryOf(islands: IslandCard[], next: string | null = null) {
  return { status: 200 as const, body: { islands, total: islands.length, next } }
}

function sampleSignal(details: Partial<LogEntry>): LogEntry {
  return {
    id: crypto.randomUUID(),
    kind: 'signal',
    at: '2026-01-02T03:04:05.000Z',
    author: 'Mira',
    authorAvatar: null,
    text: 'Hello',
    eventAt: null,
    mayDelete: false,
    hidden: null,
    ...details,
  }
}

function textsOf(elements: readonly Element[]): string[] {
  return elements.map(({ textContent }) => textContent.trim())
}

function hrefsOf(elements: readonly Element[]): (string | null)[] {
  return elements.map((element) => element.getAttribute('href'))
}

describe('islands of neighbours', () => {
  const theirs = page.getByRole('region', { name: 'Islands of neighbours' })
  const from = page.getByRole('combobox', { name: 'From which installation' })

  test('stand apart, lead to their own pages, and follow the filters', async () => {
    const asked = answerTheirs(
      sampleNeighbourIsland(),
      sampleNeighbourIsland({ slug: 'moon', name: 'Moon Bar', neighbour: 'far', isOpen: false }),
    )
    answerApi(listIslands, () => directoryOf([sampleIsland()]))
    await openDiscover('/discover/islands?kind=media')
    await expect.element(page.getByText('1 island', { exact: true })).toBeVisible()
    await expect.element(theirs.getByText('2 islands of neighbours')).toBeVisible()
    const card = theirs.getByRole('article', { name: 'Coral Cinema' })
    await expect.element(card).toMatchTextContent('Reef Sky')
    const link = card.getByRole('link')
    await expect.element(link).toHaveAttribute('href', 'https://reef.example/islands/coral-cinema')
    await expect.element(link).toHaveAttribute('rel', 'noopener noreferrer')
    await expectAccessible()
    expect(asked.at(-1)?.query).toMatchObject({ kind: 'media', of: 'reef,far' })

    await from.selectOptions('Far Sky')
    await expect.element(theirs.getByRole('article')).toHaveAccessibleName('Moon Bar')
    await expect.element(page.getByRole('link', { name: 'Harbour Tales' })).not.toBeInTheDocument()
    expect(window.location.search).toBe('?kind=media&from=far')
    await from.selectOptions('From here')
    await expect.element(page.getByRole('link', { name: 'Harbour Tales' })).toBeVisible()
    await expect.element(theirs).not.toBeInTheDocument()
  })

  test('open and close while one looks', async () => {
    const feed = answerFeed()
    answerTheirs(sampleNeighbourIsland())
    answerApi(listIslands, () => directoryOf([]))
    await openDiscover('/discover/islands')
    const card = theirs.getByRole('article', { name: 'Coral Cinema' })
    await expect.element(card.getByText('Open', { exact: true })).toBeVisible()
    await expect.poll(() => feed.open()).toBe(1)
    feed.tell({ type: 'neighbour-island', payload: sampleNeighbourIsland({ isOpen: false }) })
    await expect.element(card.getByText('Closed', { exact: true })).toBeVisible()
    for (const id of ['reef', 'far']) feed.tell({ type: 'neighbour-removed', payload: { id } })
    await expect.element(card).not.toBeInTheDocument()
    feed.tell({ type: 'neighbour', payload: sampleNeighbour() })
    await expect.element(card).toBeVisible()
  })

  test('come to a page that knew no neighbour', async () => {
    const feed = answerFeed()
    answerTheirs(sampleNeighbourIsland())
    answerNeighbours()
    answerApi(listIslands, () => directoryOf([sampleIsland()]))
    await openDiscover('/discover/islands')
    await expect.element(page.getByRole('link', { name: 'Harbour Tales' })).toBeVisible()
    await expect.poll(() => feed.open()).toBe(1)
    feed.tell({ type: 'neighbour', payload: sampleNeighbour() })
    await expect.element(theirs.getByRole('article', { name: 'Coral Cinema' })).toBeVisible()
    await expect.element(from).toBeVisible()
  })

  test('are not asked for when they are switched off', async () => {
    neighbourChoice.change({ areOff: true })
    const asked = answerTheirs(sampleNeighbourIsland())
    answerApi(listIslands, () => directoryOf([sampleIsland()]))
    await openDiscover('/discover/islands')
    await expect.element(button('Choose neighbours')).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Harbour Tales' })).toBeVisible()
    expect(asked).toEqual([])
    await expect.element(theirs).not.toBeInTheDocument()
  })
})
