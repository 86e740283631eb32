import { listIslands } from '@astropelago/contract/island-directory'
import type { IslandCard } from '@astropelago/contract/islands'
import { search } from '@astropelago/contract/search'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleIsland } from '../../test/sample-island.ts'
import { sampleUser } from '../../test/samples.ts'

const modules = ['Harbor Logs', 'Signal Relay', 'Orbital Library', 'Island Builder']
const locked = modules.filter((name) => name !== 'Orbital Library')
const lounge = page.getByRole('region', { name: 'Community Lounge' })
const places = page.getByRole('region', { name: 'Your places' })
const moduleList = page.getByRole('region', { name: 'Modules' })
const dialog = page.getByRole('dialog', { name: 'Sign in' })
const unlockButton = (name: string) =>
  moduleList.getByRole('article', { name }).getByRole('button', { name: 'Sign in to unlock' })

test("it has the 'Community Lounge' with 'Join now' and 'Learn more', and three places to Open", async () => {
  await openScreen('/explore')
  await expect.element(lounge.getByRole('heading', { name: 'Community Lounge' })).toBeVisible()
  const link = (name: string) => lounge.getByRole('link', { name, exact: false })
  await expect.element(link('Join now')).toHaveAttribute('href', '/discover')
  await expect.element(link('Learn more')).toHaveAttribute('href', '/thetravelerstavern')
  for (const name of ['Account', 'Dashboard', 'Observatory']) {
    const open = places.getByRole('article', { name }).getByRole('link', { name: 'Open' })
    await expect.element(open).toHaveAttribute('href', `/${name.toLowerCase()}`)
    await expect.element(open).toHaveAccessibleDescription(name)
  }
})

describe('a visitor', () => {
  test("sees each module as 'Locked', with a button to unlock it", async () => {
    await openScreen('/explore')
    for (const name of [...locked, 'Observatory']) {
      const tile = moduleList.getByRole('article', { name })
      await expect.element(tile.getByText('Locked', { exact: true })).toBeVisible()
      expect(tile.getByRole('link').length).toBe(0)
      await expect.element(unlockButton(name)).toHaveAccessibleDescription(name)
    }
    await expect
      .element(moduleList.getByRole('link', { name: 'Orbital Library' }))
      .toHaveAttribute('href', '/library')
    await expectAccessible()
  })

  test("opens the dialog with 'Sign in to unlock'; Escape returns to the button", async () => {
    await openScreen('/explore')
    for (const name of ['Signal Relay', 'Observatory']) {
      unlockButton(name).element().focus()
      await userEvent.keyboard('{Enter}')
      await expect.element(dialog.getByLabelText('Username')).toHaveFocus()
      expect(window.location.pathname + window.location.search).toBe('/explore')
      await userEvent.keyboard('{Escape}')
      await expect.element(dialog).not.toBeInTheDocument()
      await expect.element(unlockButton(name)).toHaveFocus()
    }
  })
})

test('no tile is locked until the session is known, and nothing moves then', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof sampleUser>()
  await openScreen('/explore', { user: promise })
  await expect.element(moduleList.getByRole('heading', { name: 'Harbor Logs' })).toBeVisible()
  const list = moduleList.getByRole('list')
  await expect.element(list).toHaveAttribute('aria-busy', 'true')
  expect(moduleList.getByText('Locked').length).toBe(0)
  expect(moduleList.getByRole('link').length).toBe(1)
  await expect.element(page.getByText(/^Be the first/)).toBeVisible()
  const before = moduleList.element().getBoundingClientRect().toJSON()
  resolve(sampleUser)
  await expect.element(moduleList.getByRole('link', { name: 'Harbor Logs' })).toBeVisible()
  await expect.element(list).not.toHaveAttribute('aria-busy')
  expect(moduleList.element().getBoundingClientRect().toJSON()).toEqual(before)
})

test('for signed-in users each module is a link', async () => {
  await openScreen('/explore', { user: sampleUser })
  const targets = ['/harbor-logs', '/discover/signals', '/library', '/new-island']
  for (const [place, name] of modules.entries()) {
    const link = moduleList.getByRole('link', { name })
    await expect.element(link).toHaveAttribute('href', targets[place])
  }
  expect(moduleList.getByRole('link').length).toBe(modules.length)
  expect(moduleList.getByText('Locked').length).toBe(0)
  expect(moduleList.getByRole('button').length).toBe(0)
  await expectAccessible()
})

describe('Open now', () => {
  const openNow = page.getByRole('region', { name: 'Open now' })

  test('shows every island that everybody can enter, page by page', async () => {
    const islands = Array.from({ length: 8 }, (_, place) =>
      sampleIsland({ slug: `isle-${place}`, name: `Isle ${place}` }),
    )
    const asked = answerApi(listIslands, ({ query }) => ({
      status: 200,
      body:
        query.after === undefined
          ? { islands: islands.slice(0, 6), total: 8, next: 'o1-six' }
          : { islands: islands.slice(6), total: 8, next: null },
    }))
    await openScreen('/explore')
    await expect
      .element(openNow.getByRole('link', { name: 'Isle 0' }))
      .toHaveAttribute('href', '/islands/isle-0')
    expect(openNow.getByRole('article').length).toBe(6)
    expect(openNow.getByText(/in a minute/).length).toBe(0)
    await openNow.getByRole('button', { name: 'Show more' }).click()
    await expect.element(openNow.getByRole('link', { name: 'Isle 7' })).toBeVisible()
    await expect
      .element(openNow.getByRole('link', { name: 'Star chart' }))
      .toHaveAttribute('href', '/discover/charts')
    expect(asked.map(({ query }) => query)).toContainEqual({
      state: 'all',
      access: 'public',
      sort: 'open',
    })
  })

  test('is followed by closed public islands, except for the lounge, which has its own card', async () => {
    const islands = [
      sampleIsland({ slug: 'open', name: 'Open Isle' }),
      sampleIsland({ slug: 'away', name: 'Isle Away', isOpen: false }),
      sampleIsland({ slug: 'thetravelerstavern', name: 'Lounge Isle', isOpen: false }),
    ]
    answerApi(listIslands, ({ query }) => ({
      status: 200,
      body: { islands: query.slug === undefined ? islands : [], total: 3, next: null },
    }))
    await openScreen('/explore')
    const closed = page.getByRole('region', { name: 'Not open right now' })
    await expect.element(closed.getByRole('link', { name: 'Isle Away' })).toBeVisible()
    expect(closed.getByRole('article').length).toBe(1)
    expect(openNow.getByRole('article').length).toBe(2)
    await expect.element(openNow.getByRole('article', { name: 'Open Isle' })).toBeVisible()
    await expectAccessible()
  })

  test('has a search above it, signed in or not', async () => {
    const none = { satellites: [], neighbourIslands: [], neighbourSatellites: [], routes: [] }
    const body = { ...none, islands: [sampleIsland()] }
    answerApi(search, { status: 200, body })
    await openScreen('/explore')
    await userEvent.type(page.getByRole('searchbox', { name: 'Search the network' }), 'harb')
    await expect.element(page.getByRole('link', { name: /^Harbour Tales/ })).toBeVisible()
  })

  test('says if no island is open', async () => {
    answerIslands([sampleIsland({ isOpen: false })])
    await openScreen('/explore')
    await expect.element(openNow).toMatchTextContent('No island is open to everybody right now')
    expect(openNow.getByText(/in a minute/).length).toBe(0)
  })

  test.each([
    ['no island', []],
    ['no island but the lounge', [sampleIsland({ slug: 'thetravelerstavern' })]],
  ])('invites to be the first where there is %s', async (_, islands) => {
    answerIslands(islands)
    await openScreen('/explore')
    await expect
      .element(openNow.getByText('Be the first: make an island in a minute'))
      .toBeVisible()
    await expect
      .element(openNow.getByRole('link', { name: 'Make an island' }))
      .toHaveAttribute('href', '/new-island')
    await openNow.getByRole('link', { name: 'Your first island in a minute' }).click()
    await expect
      .element(page.getByRole('heading', { level: 1 }))
      .toHaveTextContent('Your first island in a minute')
  })

  test('invites to make one where there are few, as the last in the list', async () => {
    answerIslands([sampleIsland(), sampleIsland({ slug: 'thetravelerstavern' })])
    await openScreen('/explore')
    const last = openNow.getByRole('listitem').last()
    await expect.element(last).toMatchTextContent(/^Make an island in a minute/)
    await expectAccessible()
  })

  test('shows a failed load, which can be tried again', async () => {
    answerApi(listIslands, refused('rate_limited'))
    await openScreen('/explore')
    await expect.element(openNow).toMatchTextContent('The islands could not be loaded.')
    answerApi(listIslands, {
      status: 200,
      body: { islands: [sampleIsland()], total: 1, next: null },
    })
    await userEvent.click(openNow.getByRole('button', { name: 'Try again' }))
    await expect.element(openNow.getByRole('link', { name: 'Harbour Tales' })).toBeVisible()
  })
})

/** Answers with these islands, whatever the query. */
const answerIslands = (islands: readonly IslandCard[]) =>
  answerApi(listIslands, {
    status: 200,
    body: { islands: [...islands], total: islands.length, next: null },
  })

/** Answers the directory's query for the lounge. */
const answerLounge = (found: readonly IslandCard[]) =>
  answerApi(listIslands, ({ query }) => {
    const islands = query.slug === 'thetravelerstavern' ? [...found] : []
    return { status: 200, body: { islands, total: islands.length, next: null } }
  })

describe('the lounge', () => {
  test('is an island with its state and a link to its page', async () => {
    const name = 'Captain’s Lounge'
    answerLounge([sampleIsland({ slug: 'thetravelerstavern', name, isOpen: false })])
    await openScreen('/explore')
    const card = page.getByRole('region', { name })
    await expect
      .element(card.getByRole('link', { name, exact: true }))
      .toHaveAttribute('href', '/islands/thetravelerstavern')
    await expect.element(card.getByText('Closed')).toBeVisible()
    await expect
      .element(card.getByRole('link', { name: `Learn more about ${name}` }))
      .toHaveAttribute('href', '/thetravelerstavern')
  })

  test('keeps its card if the island is gone or hidden, and no call fails', async () => {
    const asked = answerLounge([])
    await openScreen('/explore')
    await expect.poll(() => asked.length).toBe(2)
    await expect
      .element(lounge.getByRole('link', { name: 'Learn more about Community Lounge' }))
      .toHaveAttribute('href', '/thetravelerstavern')
    expect(lounge.getByRole('link').length).toBe(2)
  })
})
