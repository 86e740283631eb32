import { listLogs, type IslandLogEntry } from '@astropelago/contract/all-logs'
import type { LogEntry } from '@astropelago/contract/island-log'
import type { User } from '@astropelago/contract/me'
import { search } from '@astropelago/contract/search'
import { IslandMessage, OwnMessage, streamIsland, streamOwn } from '@astropelago/contract/streams'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible, expectNoSidewaysScroll } from '../../test/accessibility.ts'
import { answerApi } from '../../test/answer-api.ts'
import { answerStream } from '../../test/answer-stream.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleIsland } from '../../test/sample-island.ts'
import { sampleLogEntry } from '../../test/sample-log-entry.ts'
import { sampleUser } from '../../test/samples.ts'

const harbor = { id: 'harbor', slug: 'harbor-light', name: 'Harbor Light' }
const title = page.getByRole('heading', { level: 1, name: 'Harbor Logs' })
const lines = page.getByRole('main').getByRole('listitem')
const islandField = page.getByRole('combobox', { name: 'Island' })
const kindField = page.getByRole('combobox', { name: 'Kind' })
const ownBox = page.getByRole('checkbox', { name: 'Mine, joined and followed' })

function line(details: Partial<LogEntry> = {}, island: IslandLogEntry['island'] = harbor) {
  return {
    island: { slug: island.slug, name: island.name },
    entry: sampleLogEntry(details),
  }
}

/** Opens the page with these log entries. Tests can change the server's answers later. */
async function openLogs(entries: IslandLogEntry[], visit: { user?: User; query?: string } = {}) {
  const kept = { entries }
  const { query = '', user } = visit
  const asked = answerApi(listLogs, ({ query: { island } }) => ({
    status: 200,
    body: {
      entries: kept.entries,
      island: island === harbor.slug ? harbor : null,
      next: null,
    },
  }))
  const own = answerStream(streamOwn, OwnMessage)
  const ofIsland = answerStream(streamIsland, IslandMessage)
  await openScreen(`/harbor-logs${query}`, user === undefined ? {} : { user })
  await expect.element(title).toBeVisible()
  return { kept, asked, own, ofIsland }
}

test('everybody reads entries by day, and a visitor learns how to read more', async () => {
  await openLogs([
    line({ kind: 'opened', author: null, text: null, at: '2025-01-03T10:00:00.000Z' }),
    line({ kind: 'signal', text: 'Film night', eventAt: '2030-01-31T20:00:00.000Z' }),
    line({ kind: 'joined', author: null, text: null }),
    line(),
    line({ kind: 'closed', author: null, text: null }),
  ])
  for (const [at, text] of [
    'Harbor Light opened',
    'Harbor Light signals',
    'Somebody joined Harbor Light',
    'nova left a note on Harbor Light',
    'Harbor Light closed',
  ].entries()) {
    await expect.element(lines.nth(at)).toMatchTextContent(text)
  }
  const day = page.getByRole('region', { name: /Jan 3, 2025$/ })
  expect(day.getByRole('listitem').elements()).toHaveLength(1)
  await expect
    .element(lines.first().getByRole('link', { name: 'Harbor Light' }))
    .toHaveAttribute('href', '/islands/harbor-light')
  await expect.element(page.getByRole('main').getByRole('link', { name: 'Sign in' })).toBeVisible()
  await expect.element(ownBox).not.toBeInTheDocument()
  await expect.poll(() => document.title).toBe('Harbor Logs · Astropelago')
  await expectAccessible()
  await page.viewport(320, 900)
  await expectNoSidewaysScroll()
})

test('the filters are written to the address and read from it', async () => {
  const { asked } = await openLogs([line()], { user: sampleUser, query: '?kind=note&whose=own' })
  await expect.element(kindField).toHaveValue('note')
  await expect.element(ownBox).toBeChecked()
  await kindField.selectOptions('Openings')
  await ownBox.click()
  await expect.poll(() => window.location.search).toBe('?kind=opened')
  await expect.poll(() => asked.at(-1)?.query).toEqual({ kind: 'opened', whose: 'all' })
  expect(asked[0]?.query).toEqual({ kind: 'note', whose: 'own' })
  await kindField.selectOptions('Every kind')
  await expect.poll(() => window.location.search).toBe('')
})

test('an island is found by name with the keyboard, and emptying the field drops it', async () => {
  const none = { satellites: [], neighbourIslands: [], neighbourSatellites: [], routes: [] }
  const found = { ...none, islands: [sampleIsland(harbor)] }
  answerApi(search, { status: 200, body: found })
  const { asked } = await openLogs([line()])
  await islandField.fill('harb')
  await expect.element(page.getByRole('option', { name: /^Harbor Light/ })).toBeVisible()
  await expectAccessible()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => window.location.search).toBe('?island=harbor-light')
  await expect.element(islandField).toHaveValue('Harbor Light')
  await expect.poll(() => asked.at(-1)?.query.island).toBe('harbor-light')
  await islandField.fill('elsewhere')
  await userEvent.tab()
  await expect.element(islandField).toHaveValue('Harbor Light')
  await islandField.clear()
  await expect.poll(() => window.location.search).toBe('')
})

test('a new entry appears after a message of the user’s or the island’s stream', async () => {
  const { kept, own } = await openLogs([line({ text: 'Before' })], { user: sampleUser })
  await expect.element(lines.first()).toMatchTextContent('Before')
  await expect.poll(() => own.open()).toBe(1)
  kept.entries = [line({ text: 'Fresh' }), ...kept.entries]
  own.tell({ type: 'island-log', payload: { id: harbor.id } })
  await expect.element(lines.first()).toMatchTextContent('Fresh')
})

test('a visitor who filters by island follows its stream', async () => {
  const { kept, ofIsland } = await openLogs([line()], { query: '?island=harbor-light' })
  await expect.element(islandField).toHaveValue('Harbor Light')
  await expect.poll(() => ofIsland.open()).toBe(1)
  kept.entries = [line({ text: 'Fresh' }), ...kept.entries]
  ofIsland.tell({ type: 'island-log', payload: { id: harbor.id } })
  await expect.element(lines.first()).toMatchTextContent('Fresh')
})

test('earlier entries can be loaded', async () => {
  answerApi(listLogs, ({ query: { after } }) => {
    const text = after === undefined ? 'Late' : `Early, after ${after}`
    const next = after === undefined ? '5.late' : null
    const entries = [line({ text })]
    return { status: 200, body: { entries, island: null, next } }
  })
  await openScreen('/harbor-logs')
  await page.getByRole('button', { name: 'Show earlier' }).click()
  await expect.element(lines.nth(1)).toMatchTextContent('Early, after 5.late')
  await expect.element(page.getByRole('button', { name: 'Show earlier' })).not.toBeInTheDocument()
})

test('an empty list says why, with a button that resets the filters', async () => {
  await openLogs([], { query: '?island=nowhere' })
  await expect
    .element(page.getByText('There is no island at that address whose log you may read.'))
    .toBeVisible()
  await page.getByRole('button', { name: 'Show all logs' }).click()
  await expect.element(page.getByText('Nothing in the logs yet')).toBeVisible()
  expect(window.location.search).toBe('')
  await expectAccessible()
})

test('a failed load can be tried again', async () => {
  answerApi(listLogs, 'dropped')
  await openScreen('/harbor-logs')
  await expect.element(page.getByText('The logs could not be loaded.')).toBeVisible()
  answerApi(listLogs, { status: 200, body: { entries: [line()], island: null, next: null } })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(lines.first()).toMatchTextContent('Lovely tea.')
})

test('the author sees that the operator hid an entry', async () => {
  const hidden = { at: '2025-01-02T03:04:05.000Z', reason: 'Names somebody’s street.' }
  await openLogs([line({ author: sampleUser.username, hidden })], { user: sampleUser })
  await expect.element(lines.first()).toMatchTextContent('Names somebody’s street.')
})
