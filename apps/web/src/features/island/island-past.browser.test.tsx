import { uptimeWindows } from '@astropelago/contract/history'
import {
  type IslandDay,
  type IslandHistory,
  readIslandHistory,
  readIslandUptime,
} from '@astropelago/contract/island-history'
import type { IslandView } from '@astropelago/contract/islands'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { holdTime } from '../../test/emulation.ts'
import { sampleView } from '../../test/sample-island.ts'
import { sampleUser as user } from '../../test/samples.ts'
import { islandParts as parts, openIsland } from './testing/open-island.tsx'

const past = page.getByRole('region', { name: 'When it was open' })
const hourMs = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * hourMs).toISOString()
const watched = { isWatched: true, since: ago(5) }

function sampleDay(daysAgo: number, details: Partial<IslandDay> = {}): IslandDay {
  const whole = { openS: 86_400, closedS: 0, unobservedS: 0, flips: 0, status: 'open' as const }
  return { day: ago(24 * daysAgo).slice(0, 10), ...whole, ...details }
}

function sampleHistory(): IslandHistory {
  return {
    from: ago(40),
    days: [sampleDay(1, { openS: 43_200, closedS: 43_200, flips: 2 }), sampleDay(0)],
    spans: [
      { from: ago(24), to: ago(5), status: 'closed' },
      { from: ago(5), to: ago(0), status: 'open' },
    ],
    events: [],
    next: null,
  }
}

/** Opens an island's page with a history. Tests can change the server's answers later. */
async function openWithPast(view: IslandView, visit = {}) {
  const server = { history: sampleHistory() }
  const asked = answerApi(readIslandHistory, () => ({ status: 200, body: server.history }))
  answerApi(readIslandUptime, () => ({
    status: 200,
    body: {
      ...watched,
      isOpen: view.isOpen,
      windows: uptimeWindows.map((window) => ({ window, uptime: 0.75, observed: 0.5 })),
    },
  }))
  return { ...(await openIsland(view, visit)), past: server, asked }
}

test('an island’s page shows by day and hour when it was open', async () => {
  await openWithPast(sampleView(watched))
  await expect.element(past).toMatchTextContent('24 hours75%50% observed')
  await expect.element(past).toMatchTextContent('Last 24 hours: Open 5 h, closed 19 h')
  const days = past.getByRole('slider', { name: 'Days of Harbor Light' })
  days.element().focus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect
    .element(days)
    .toHaveAttribute('aria-valuetext', expect.stringMatching(/50% open, closed 12 h, 2 changes$/))
  await expectAccessible()
})

test('a change from the stream appears among the days once it is recorded', async () => {
  holdTime()
  const { stream, past: server, asked } = await openWithPast(sampleView(watched))
  await expect.element(past).toMatchTextContent('Open 5 h, closed 19 h')
  const before = asked.length
  stream.tell({ type: 'island-open', payload: { id: 'harbor', isOpen: false, since: ago(0) } })
  await expect.element(page.getByText('Closed', { exact: true })).toBeVisible()
  expect(asked.length).toBe(before)
  server.history = { ...sampleHistory(), days: [sampleDay(0, { flips: 1, status: 'closed' })] }
  await vi.advanceTimersByTimeAsync(7000)
  await expect.element(past).toMatchTextContent('1 change')
  expect(asked.length).toBe(before + 1)
})

test('an unwatched island has no history', async () => {
  await openIsland(sampleView({ isWatched: false, since: null }), { user })
  await expect.element(parts.log).toBeVisible()
  await expect.element(past).not.toBeInTheDocument()
})

test('the host of an unwatched island reads how to change that', async () => {
  await openIsland(sampleView({ role: 'host', isWatched: false, since: null }), { user })
  await expect
    .element(past.getByRole('link', { name: 'Choose a device' }))
    .toHaveAttribute('href', '/islands/harbor-light/settings/details')
})

test('an island that was never open has no history yet', async () => {
  await openIsland(sampleView({ ...watched, isOpen: false, since: null }))
  await expect.element(past).toMatchTextContent('After it opens for the first time')
})

test('a draft has no history', async () => {
  await openIsland(sampleView({ role: 'host', publishedAt: null, isWatched: false }), { user })
  await expect.element(parts.log).toBeVisible()
  await expect.element(past).not.toBeInTheDocument()
})

test('a history that can’t be loaded says so and can be tried again', async () => {
  answerApi(readIslandHistory, refused('rate_limited'))
  await openIsland(sampleView(watched))
  await expect.element(past).toMatchTextContent('When it was open could not be loaded.')
  answerApi(readIslandHistory, { status: 200, body: sampleHistory() })
  await past.getByRole('button', { name: 'Try again' }).click()
  await expect.element(past.getByRole('slider')).toBeInTheDocument()
})

test('the page links to the island’s device if everybody may know about it', async () => {
  await openIsland(sampleView({ ...watched, deviceId: 'd1' }))
  await expect.element(parts.link('a device')).toHaveAttribute('href', '/devices/d1')
})
