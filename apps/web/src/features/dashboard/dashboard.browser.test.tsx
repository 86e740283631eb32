import { listOwnDevices } from '@astropelago/contract/devices'
import { listDeviceStrips } from '@astropelago/contract/history'
import { type ActivityItem, listActivity } from '@astropelago/contract/island-log'
import {
  answerJoinRequest,
  type JoinRequest,
  listJoinRequests,
} from '@astropelago/contract/island-members'
import { listOwnIslands } from '@astropelago/contract/islands'
import { notesCounted } from '@astropelago/contract/limits'
import type { User } from '@astropelago/contract/me'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  expectAccessible,
  expectAccessibleOnDesktop,
  expectNoSidewaysScroll,
} from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleDraft, sampleOwnIsland } from '../../test/sample-island.ts'
import { sampleDevice, sampleUser } from '../../test/samples.ts'
import { answerDashboard } from './testing/answer-dashboard.ts'

const greeting = page.getByText(/^Welcome back, /)
const activity = page.getByRole('region', { name: 'Recent activity', exact: true })
const islands = page.getByRole('region', { name: 'Your islands', exact: true })

type Visit = Parameters<typeof answerDashboard>[0] & { readonly user?: User }

async function openDashboard({ user = sampleUser, ...islandsOf }: Visit = {}) {
  const answered = answerDashboard(islandsOf)
  await openScreen('/dashboard', { user })
  return answered
}

function hoursAgo(hours: number): string {
  return new Date(Date.now() - hours * 3_600_000).toISOString()
}

test('it greets by the username, leads to Connect, and says what to do without devices and islands', async () => {
  await openDashboard({ user: { ...sampleUser, name: 'Captain Nemo' } })
  await expect.element(greeting).toHaveTextContent(`Welcome back, ${sampleUser.username}`)
  await expect.element(page.getByText('Captain Nemo')).not.toBeInTheDocument()
  for (const [part, name] of [
    [activity, 'Recent activity'],
    [islands, 'Your islands'],
  ] as const) {
    await expect.element(part.getByRole('heading', { name, exact: true })).toBeVisible()
  }
  await expect.element(activity).toMatchTextContent('Nothing has happened yet')
  await expect
    .element(islands.getByRole('link', { name: 'Make an island' }))
    .toHaveAttribute('href', '/new-island')
  await expect
    .element(islands.getByRole('link', { name: 'Your first island in a minute' }))
    .toHaveAttribute('href', '/library/first-island')
  const connect = page.getByRole('link', { name: 'Connect a device' })
  await expect.element(connect.last()).toHaveAttribute('href', '/connect')
})

test.each([
  ['a long name', 'N'.repeat(64)],
  ['right-to-left text', 'כוכבים'.repeat(10)],
  ['emoji', '👩‍🚀'.repeat(8)],
])('it greets by the name if there is no username: %s fits', async (_, name) => {
  await openDashboard({ user: { ...sampleUser, username: '', name } })
  await expect.element(greeting).toHaveTextContent(`Welcome back, ${name}`)
  await expectNoSidewaysScroll()
  const { scrollWidth, clientWidth } = greeting.element()
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth)
})

test('activity of devices and islands is grouped by day, and earlier days can be loaded', async () => {
  const at = hoursAgo(0)
  const then = '2025-01-02T12:00:00.000Z'
  const entry = {
    author: null,
    authorAvatar: null,
    text: null,
    eventAt: null,
    mayDelete: true,
    hidden: null,
  }
  const island = { slug: 'harbor-light', name: 'Harbor Light' }
  const latest: ActivityItem[] = [
    {
      type: 'log',
      id: 'e1',
      at,
      island,
      entry: { ...entry, id: 'e1', at, kind: 'note', author: 'nova', text: 'Lovely tea.' },
    },
    { type: 'flip', id: 'f1', at, device: { id: 'd', label: 'Lighthouse' }, status: 'online' },
  ]
  const earlier: ActivityItem[] = [
    {
      type: 'log',
      id: 'e0',
      at: then,
      island,
      entry: { ...entry, id: 'e0', at: then, kind: 'closed' },
    },
  ]
  answerApi(listActivity, ({ query }) => ({
    status: 200,
    body:
      query.after === undefined ? { items: latest, next: 'then' } : { items: earlier, next: null },
  }))
  await openDashboard()
  const today = activity.getByRole('region', { name: 'Today' }).getByRole('listitem')
  await expect.element(today.first()).toMatchTextContent('nova left a note on Harbor Light')
  await expect.element(today.first()).toMatchTextContent('Lovely tea.')
  await expect.element(today.nth(1)).toMatchTextContent('Lighthouse came online')
  await expect
    .element(today.nth(1).getByRole('link', { name: 'Lighthouse' }))
    .toHaveAttribute('href', '/devices/d')
  await activity.getByRole('button', { name: 'Show earlier' }).click()
  const day = activity.getByRole('region', { name: 'Thu, Jan 2, 2025' })
  await expect.element(day).toMatchTextContent('Harbor Light closed')
  await expect
    .element(day.getByRole('link', { name: 'Harbor Light' }))
    .toHaveAttribute('href', '/islands/harbor-light')
})

test('hosted and joined islands show their state, and a draft leads to the Island Builder', async () => {
  const draft = sampleDraft({ name: 'Quarry' })
  const hosted = [
    sampleOwnIsland({ id: 'a', name: 'Harbor', slug: 'harbor', noteCount: 2, memberCount: 1 }),
    draft,
    sampleOwnIsland({ id: 'c', name: 'Market', slug: 'market', noteCount: notesCounted }),
  ]
  const joined = [
    sampleOwnIsland({ id: 'b', slug: 'reef', name: 'The Reef', isOpen: false, isWatched: true }),
  ]
  await openDashboard({ hosted, joined, user: { ...sampleUser, username: 'W'.repeat(32) } })
  const host = islands.getByRole('list', { name: 'You host' }).getByRole('listitem')
  await expect.element(host.first()).toMatchTextContent('1 member · 2 notes in the last day')
  await expect.element(host.nth(1)).toMatchTextContent('Draft')
  await expect.element(host.nth(2)).toMatchTextContent('99+ notes in the last day')
  await expect
    .element(host.nth(1).getByRole('link'))
    .toHaveAttribute('href', `/new-island?island=${draft.id}`)
  const member = islands.getByRole('list', { name: 'You have joined' }).getByRole('listitem')
  await expect.element(member).toMatchTextContent('Closed')
  await expect.element(member.getByRole('link')).toHaveAttribute('href', '/islands/reef')
  await expectAccessibleOnDesktop()
  await expectAccessible()
  await expect.poll(() => document.title).toBe('Dashboard · Astropelago')
})

test('join requests come first and can be answered in place', async () => {
  const island = sampleOwnIsland({ name: 'Harbor', requestCount: 2 })
  const waiting: JoinRequest[] = [
    { username: 'nova', name: 'Nova Star', avatar: null, text: 'It is me.', at: hoursAgo(1) },
    { username: 'rook', name: null, avatar: null, text: '', at: hoursAgo(0) },
  ]
  const { kept } = await openDashboard({ hosted: [island] })
  answerApi(listJoinRequests, () => ({ status: 200, body: waiting }))
  const answers = answerApi(answerJoinRequest, ({ params }) => {
    waiting.splice(
      waiting.findIndex(({ username }) => username === params.username),
      1,
    )
    kept.hosted = [{ ...island, requestCount: waiting.length }]
    return { status: 204 }
  })
  const attention = islands.getByRole('list', { name: 'Needs your attention' })
  await expect.element(attention).toMatchTextContent('2 people ask to join Harbor.')
  await expect.element(attention).toMatchTextContent('It is me.')
  await expectAccessible()
  await attention.getByRole('button', { name: 'Let nova in' }).click()
  await expect.element(attention).toMatchTextContent('Somebody asks to join Harbor.')
  await expect.element(attention.getByRole('button', { name: 'Let rook in' })).toHaveFocus()
  await attention.getByRole('button', { name: 'Turn rook down' }).click()
  await expect.element(attention).not.toBeInTheDocument()
  expect(answers.map(({ params, body }) => [params.username, body.isLetIn])).toEqual([
    ['nova', true],
    ['rook', false],
  ])
})

test('answering a request for a full island shows why it fails', async () => {
  answerApi(listJoinRequests, {
    status: 200,
    body: [{ username: 'nova', name: null, avatar: null, text: '', at: hoursAgo(1) }],
  })
  answerApi(answerJoinRequest, refused('member_limit'))
  await openDashboard({ hosted: [sampleOwnIsland({ requestCount: 1 })] })
  await islands.getByRole('button', { name: 'Let nova in' }).click()
  await expect
    .element(islands.getByRole('alert'))
    .toMatchTextContent('This island can’t have more members.')
})

test('hidden and closed islands say why', async () => {
  const hidden = { at: '2025-01-02T03:04:05.000Z', reason: 'It pretends to be a bank.' }
  const closed = sampleOwnIsland({
    id: 'b',
    name: 'The Reef',
    isOpen: false,
    isWatched: true,
    since: '2025-01-02T03:04:00.000Z',
    carrier: { id: 'd', label: 'Attic server' },
  })
  await openDashboard({ hosted: [closed, sampleOwnIsland({ id: 'a', name: 'Harbor', hidden })] })
  const concern = islands.getByRole('list', { name: 'Needs your attention' }).getByRole('listitem')
  await expect.element(concern.first()).toMatchTextContent('It pretends to be a bank.')
  await expect
    .element(concern.nth(1))
    .toMatchTextContent(
      'The Reef is closed since Jan 2, 2025, 03:04. Its device, Attic server, is offline.',
    )
})

test('a failed load is shown and can be tried again', async () => {
  answerApi(listActivity, refused('rate_limited'))
  await openDashboard()
  await expect.element(activity).toMatchTextContent('What happened could not be loaded.')
  answerApi(listActivity, { status: 200, body: { items: [], next: null } })
  await activity.getByRole('button', { name: 'Try again' }).click()
  await expect.element(activity).toMatchTextContent('Nothing has happened yet')
})

test('changes from the stream show at once: a closed island, a request, an activity', async () => {
  const island = sampleOwnIsland({ id: 'a', name: 'Harbor', isWatched: true })
  const { kept, stream } = await openDashboard({ hosted: [island] })
  const host = islands.getByRole('list', { name: 'You host' }).getByRole('listitem')
  await expect.element(host).toMatchTextContent('Open')
  await expect.poll(stream.open).toBe(1)
  await expect.element(activity).toMatchTextContent('Nothing has happened yet')

  // The change shows before the list has been fetched again.
  const held = Promise.withResolvers<undefined>()
  answerApi(listOwnIslands, async () => {
    await held.promise
    return { status: 200, body: kept.hosted }
  })
  stream.tell({ type: 'island-open', payload: { id: 'a', isOpen: false, since: hoursAgo(0) } })
  await expect.element(host).toMatchTextContent('Closed')

  answerApi(listJoinRequests, {
    status: 200,
    body: [{ username: 'nova', name: null, avatar: null, text: '', at: hoursAgo(0) }],
  })
  kept.hosted = [{ ...island, requestCount: 1 }]
  held.resolve(undefined)
  stream.tell({ type: 'island-requests', payload: { id: 'a' } })
  await expect.element(islands.getByRole('button', { name: 'Let nova in' })).toBeVisible()

  const at = hoursAgo(0)
  answerApi(listActivity, {
    status: 200,
    body: {
      items: [{ type: 'flip', id: 'f', at, device: { id: 'd', label: 'Rook' }, status: 'offline' }],
      next: null,
    },
  })
  stream.tell({ type: 'device', payload: { id: 'd', status: 'offline' } })
  await expect.element(activity).toMatchTextContent('Rook went offline')
})

test('the user’s devices show their last 30 days and link to their pages', async () => {
  const device = sampleDevice({ status: 'online' })
  const day = new Date().toISOString().slice(0, 10)
  const seen = { onlineS: 900, offlineS: 300, unobservedS: 0, flips: 2, status: 'online' as const }
  answerApi(listOwnDevices, { status: 200, body: [device] })
  answerApi(listDeviceStrips, {
    status: 200,
    body: [{ id: device.id, days: [{ day, ...seen }] }],
  })
  await openDashboard()
  const devices = page.getByRole('region', { name: 'Your devices', exact: true })
  await expect
    .element(devices.getByText('Last 30 days: 75% online, offline 5 min, 2 changes'))
    .toBeInTheDocument()
  await expect
    .element(devices.getByRole('link', { name: device.label }))
    .toHaveAttribute('href', `/devices/${device.id}`)
  await expectAccessible()
})

test('only six devices are shown, even if their history can’t be loaded', async () => {
  const devices = Array.from({ length: 8 }, (_, index) => sampleDevice({ label: `Buoy ${index}` }))
  answerApi(listOwnDevices, { status: 200, body: devices })
  answerApi(listDeviceStrips, refused('overloaded'))
  await openDashboard()
  const part = page.getByRole('region', { name: 'Your devices', exact: true })
  await expect.element(part).toMatchTextContent('6 of 8: the others are on your account page.')
  await expect.poll(() => part.getByRole('listitem').length).toBe(6)
  await expect.element(part.getByRole('listitem').last()).toMatchTextContent('Buoy 5')
})
