import { readLog } from '@astropelago/contract/island-log'
import { joinIsland, leaveIsland, listMembers } from '@astropelago/contract/island-members'
import { getIsland } from '@astropelago/contract/islands'
import { sendReport } from '@astropelago/contract/reports'
import { IslandMessage, streamIsland } from '@astropelago/contract/streams'
import { expect, test } from 'vitest'
import { cleanup } from 'vitest-browser-react/pure'
import { page, userEvent } from 'vitest/browser'
import { readWayBack } from '../../lib/way-back.ts'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { answerRelay } from '../../test/answer-relay.ts'
import { answerStream } from '../../test/answer-stream.ts'
import { openScreen } from '../../test/open-screen.tsx'
import { sampleIsland, sampleView } from '../../test/sample-island.ts'
import { sampleLogEntry } from '../../test/sample-log-entry.ts'
import { samplePicture, sampleUser } from '../../test/samples.ts'
import { islandParts as parts, openIsland } from './testing/open-island.tsx'

const user = sampleUser
/** The server's view of an island for a signed-out visitor. */
const stranger = { role: 'visitor', mayJoin: false, mayNote: false } as const
const shut = { mayEnter: false, address: null, mayNote: false } as const

test('an open island shows its host, and Enter opens it in a new tab without a referrer', async () => {
  const about = 'Bring your own cup. See https://tea.example/rules first.'
  const neighbours = [sampleIsland({ id: 'reef', slug: 'reef', name: 'The Reef', isOpen: false })]
  const [hostAvatar, authorAvatar] = [samplePicture, `${samplePicture}#author`]
  const entries = [
    sampleLogEntry({ authorAvatar }),
    sampleLogEntry({ kind: 'opened', author: null, text: null }),
  ]
  const view = sampleView({ ...stranger, about, neighbours, memberCount: 3, hostAvatar })
  await openIsland(view, { entries })
  await expect.element(parts.name).toHaveTextContent('Harbor Light')
  const main = page.getByRole('main')
  for (const text of ['Social space', 'Tea, maps and quiet music', 'Hosted by Keeper', 'Open']) {
    await expect.element(main).toMatchTextContent(text)
  }
  await expect.element(main).toMatchTextContent('since Jan 2, 2025, 03:04')
  for (const src of [hostAvatar, authorAvatar]) {
    await expect.poll(() => main.element().querySelector(`img[src="${src}"]`)).not.toBeNull()
  }
  await expect.element(main).toMatchTextContent('It opens play.example in a new tab.')
  const link = parts.enter.element()
  expect(link).toBeInstanceOf(HTMLAnchorElement)
  expect(
    Object.fromEntries(
      ['href', 'target', 'rel', 'referrerpolicy'].map((name) => [name, link.getAttribute(name)]),
    ),
  ).toEqual({
    href: 'https://play.example/lounge',
    target: '_blank',
    rel: 'noopener noreferrer',
    referrerpolicy: 'no-referrer',
  })
  await expect
    .element(parts.link(/tea\.example/))
    .toHaveAttribute('href', 'https://tea.example/rules')
  await expect.element(parts.members).toMatchTextContent('3 Navigators have joined.')
  await expect
    .element(parts.neighbours.getByRole('link', { name: 'The Reef' }))
    .toHaveAttribute('href', '/islands/reef')
  await expect.element(parts.lines.nth(1)).toMatchTextContent('The island opened')
  // Signed-out visitors can't write or report.
  await expect.element(parts.note).not.toBeInTheDocument()
  await expect.element(parts.button(/^Report/)).not.toBeInTheDocument()
  await expect.poll(() => document.title).toBe('Harbor Light · Astropelago')
  await expectAccessible()
})

test('Back leads to where the page of an island was left', async () => {
  await openIsland(sampleView({ ...stranger, about: 'Tea. '.repeat(1000) }))
  const explore = page.getByRole('contentinfo').getByRole('link', { name: 'Explore' })
  // Before that, the page is longer or shorter.
  await expect.element(parts.members).toBeVisible()
  await expect.element(parts.log).toMatchTextContent('There is nothing here yet')
  explore.element().scrollIntoView()
  const top = window.scrollY
  await explore.click()
  await expect.element(parts.name).toHaveTextContent('Explore')
  expect(window.scrollY).toBe(0)
  window.history.back()
  await expect.element(parts.members).toBeInTheDocument()
  expect(window.scrollY).toBe(top)
})

test('S17 an address of one of our calls, as people write it, is no link', async () => {
  const about = `Free tea: ${window.location.origin}/api/me/export or ${window.location.origin}/harbor`
  await openIsland(sampleView({ ...stranger, about }))
  await expect
    .element(parts.link(/harbor \(opens/))
    .toHaveAttribute('href', `${window.location.origin}/harbor`)
  await expect.element(page.getByRole('main')).toMatchTextContent('/api/me/export')
  await expect.element(parts.link(/export/)).not.toBeInTheDocument()
})

test('only the host of a relayed island reads live what keeps visitors out', async () => {
  const relayed = { isRelayed: true, address: 'https://harbor-light.isles.example/' }
  const { server, asked } = answerRelay({ state: 'gone', since: null })
  const { stream } = await openIsland(sampleView({ ...relayed, role: 'host' }), { user })
  const main = page.getByRole('main')
  await expect.element(main).toMatchTextContent('No agent is connected')
  await expect
    .element(parts.link('Show the block to paste'))
    .toHaveAttribute('href', '/connect?for=hosting&island=harbor')
  server.condition = { state: 'carried' }
  await expect.poll(() => stream.open()).toBe(1)
  stream.tell({ type: 'island-open', payload: { id: 'harbor', isOpen: true, since: null } })
  await expect.element(main).toMatchTextContent('Visitors come in')
  await expect.element(main).toMatchTextContent('1,234 requests of visitors since')
  await expect.element(main).toMatchTextContent('Opened from outside: yes')
  await expectAccessible()
  await cleanup()
  const soFar = asked.length
  await openIsland(sampleView(relayed), { user })
  await expect.element(parts.enter).toBeVisible()
  expect(main.element().textContent).not.toContain('Opened from outside')
  expect(asked.length).toBe(soFar)
})

/** The same island with pages that this server hosts. */
const hosted = { isHosted: true, address: 'https://harbor-light.isles.example/' } as const

test('an island with pages here says so, and its host can change them', async () => {
  const main = page.getByRole('main')
  await openIsland(sampleView({ ...hosted, role: 'host' }), { user })
  await expect.element(main).toMatchTextContent('Hosted by you, on this server')
  await expect.element(parts.enter).toHaveAttribute('href', hosted.address)
  await expect
    .element(parts.link('Change the pages'))
    .toHaveAttribute('href', '/islands/harbor-light/settings/pages')
  expect(main.element().textContent).not.toMatch(/device|relay/i)
  // The answer that a page asked for can be read and taken back there.
  await expect
    .element(parts.link('Choose whether it learns your name'))
    .toHaveAttribute('href', '/islands/harbor-light/enter?ask=1')
  await cleanup()
  await openIsland(sampleView({ ...stranger, ...hosted }))
  await expect.element(main).toMatchTextContent('Hosted by Keeper, on this server')
  await expect.element(parts.link('Change the pages')).not.toBeInTheDocument()
})

test('an island whose pages are missing or stopped says that to each viewer', async () => {
  const main = page.getByRole('main')
  const empty = { ...hosted, address: null, isOpen: false } as const
  await openIsland(sampleView({ ...empty, role: 'host' }), { user })
  await expect.element(main).toMatchTextContent('It has no pages yet, so nobody can enter.')
  await expect
    .element(parts.link('Add its pages'))
    .toHaveAttribute('href', '/islands/harbor-light/settings/pages')
  await cleanup()
  await openIsland(sampleView({ ...stranger, ...empty }))
  await expect.element(main).toMatchTextContent('It has no pages for now.')
  await cleanup()
  const relayStopped = { at: '2026-01-02T03:04:05.000Z', reason: 'Phishing.', ofHost: false }
  await openIsland(sampleView({ ...empty, role: 'host', relayStopped }), { user })
  await expect.element(main).toMatchTextContent('took the pages of this island down')
  await expect.element(main).toMatchTextContent('They say: “Phishing.”')
  await expect.element(parts.link('Add its pages')).not.toBeInTheDocument()
})

test('a demo account reads how long its draft stays', async () => {
  const draft = { ...hosted, role: 'host', publishedAt: null, access: 'invited' } as const
  await openIsland(sampleView(draft), { user: { ...user, isDemo: true } })
  await expect.element(page.getByText(/It is gone 24 hours after your demo began/)).toBeVisible()
  await expect.element(parts.link('Publish it')).not.toBeInTheDocument()
})

test('an unwatched island says so', async () => {
  await openIsland(sampleView({ ...stranger, isWatched: false, since: null }))
  await expect
    .element(page.getByRole('main'))
    .toMatchTextContent('Nobody checks whether it is open')
  await expect.element(parts.enter).toBeVisible()
})

test('a closed island says since when, and still has its link', async () => {
  await openIsland(sampleView({ ...stranger, isOpen: false }))
  await expect.element(page.getByRole('main')).toMatchTextContent('Closedsince Jan 2, 2025, 03:04')
  await expect.element(parts.enter).not.toBeInTheDocument()
  await expect
    .element(parts.link(/try play\.example/))
    .toHaveAttribute('rel', 'noopener noreferrer')
})

const pause = { text: 'We move to a bigger machine.', until: '2099-01-02T03:04:00.000Z' }

test('a paused island says why and until when, and lets in only its host and operators', async () => {
  const paused = { isOpen: false, pause } as const
  await openIsland(sampleView({ ...stranger, ...paused, address: null }))
  const main = page.getByRole('main')
  await expect.element(main).toMatchTextContent(/Paused\s*since Jan 2, 2025, 03:04/)
  await expect.element(main).toMatchTextContent(/bigger machine\.\s*Back at Jan 2, 2099, 03:04/)
  await expect.element(main).toMatchTextContent('Its host lets nobody in for now.')
  await expect.element(parts.enter).not.toBeInTheDocument()
  await expectAccessible()
  await cleanup()

  await openIsland(sampleView({ ...paused, role: 'host', mayJoin: false }), { user })
  await expect.element(parts.enter).toBeVisible()
  await expect
    .element(parts.link('Continue or change the pause'))
    .toHaveAttribute('href', '/islands/harbor-light/settings/pause')
  await cleanup()

  await openIsland(sampleView(paused), { user })
  await expect.element(main).toMatchTextContent('You run this server, so you can still enter.')
})

test('pausing and continuing are announced on the open page', async () => {
  const { server, stream } = await openIsland(sampleView(), { user })
  await expect.poll(stream.open).toBe(1)
  server.view = sampleView({ isOpen: false, pause, address: null })
  stream.tell({ type: 'island-changed', payload: { id: 'harbor' } })
  await expect.element(page.getByText('Harbor Light is paused now.')).toBeInTheDocument()
  await expect.element(parts.enter).not.toBeInTheDocument()
  server.view = sampleView()
  stream.tell({ type: 'island-changed', payload: { id: 'harbor' } })
  await expect.element(page.getByText('Harbor Light is open now.')).toBeInTheDocument()
  await expect.element(parts.enter).toBeVisible()
})

test('an unsafe link is not shown', async () => {
  await openIsland(sampleView({ ...stranger, address: 'javascript:alert(1)' }))
  await expect
    .element(page.getByRole('main'))
    .toMatchTextContent('Its host has not given it an address yet.')
  await expect.element(parts.enter).not.toBeInTheDocument()
})

test('signed-out visitors sign in and return to the island', async () => {
  await openIsland(sampleView({ ...stranger, ...shut, access: 'members' }))
  await expect
    .element(page.getByRole('main'))
    .toMatchTextContent('Only people who may enter can read the log.')
  await parts.link('Sign in to enter').click()
  await expect.element(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible()
  expect(window.location.pathname + window.location.search).toBe('/explore?signin=1')
  expect(readWayBack()).toBe('/islands/harbor-light')
})

test('a user asks to join with a message, waits, and can take it back', async () => {
  const view = sampleView({ ...shut, access: 'invited', isListed: true })
  const { server } = await openIsland(view, { user })
  const joins = answerApi(joinIsland, () => {
    server.view = { ...view, role: 'asked' }
    return { status: 200, body: { role: 'asked' } }
  })
  await parts.button('Ask to join').click()
  await expect.element(page.getByRole('textbox', { name: /^A message to its host/ })).toHaveFocus()
  await userEvent.keyboard('It is me.{Tab}{Enter}')
  await expect.element(page.getByRole('main')).toMatchTextContent('You asked to be let in.')
  expect(joins.map(({ params, body }) => ({ params, body }))).toEqual([
    { params: { id: 'harbor' }, body: { text: 'It is me.' } },
  ])
  answerApi(leaveIsland, () => {
    server.view = view
    return { status: 204 }
  })
  await parts.button('Take it back').click()
  await expect.element(parts.button('Ask to join')).toBeVisible()
})

const rules = 'Be kind.\nSee https://tea.example/rules first.'
const accepting = 'By joining you accept the rules of this island.'

test('the rules are on the page with the day of their change, and beside the button that accepts them', async () => {
  const rulesChangedAt = '2025-03-02T03:04:05.000Z'
  await openIsland(sampleView({ rules, rulesChangedAt }), { user })
  const card = page.getByRole('region', { name: 'Rules of this island' })
  await expect.element(card).toMatchTextContent('The rules changed on Mar 2, 2025.')
  await expect.element(card).toMatchTextContent('Be kind.')
  await expect.element(card.getByRole('link')).toHaveAttribute('href', 'https://tea.example/rules')
  const top = page.getByRole('region', { name: 'Harbor Light' })
  await expect.element(top).toMatchTextContent(accepting)
  const text = top.getByText(/Be kind/)
  await expect.element(text).not.toBeVisible()
  await top.getByText('Read the rules').click()
  await expect.element(text).toBeVisible()
  await expectAccessible()
  await cleanup()

  await openIsland(sampleView({ ...shut, rules, access: 'invited' }), { user })
  await expect.element(top).toMatchTextContent(accepting)
  await expect.element(card).toBeVisible()
  expect(card.element().textContent).not.toContain('changed on')
  await cleanup()

  await openIsland(sampleView(), { user })
  await expect.element(parts.button('Join')).toBeVisible()
  expect(page.getByRole('main').element().textContent).not.toMatch(/rules/i)
})

test('a blocked user sees a stranger’s page without buttons', async () => {
  await openIsland(sampleView({ ...stranger, ...shut }), { user })
  await expect.element(page.getByRole('main')).toMatchTextContent('This island is not open to you.')
  await expect.element(parts.button(/join/i)).not.toBeInTheDocument()
  await expect.element(parts.link(/Sign in/)).not.toBeInTheDocument()
})

test('a guest joins, sees the members, and leaves after a confirmation', async () => {
  const view = sampleView()
  const { server } = await openIsland(view, { user })
  const becomes = (role: 'member' | 'guest') => {
    server.view = {
      ...view,
      role,
      memberCount: role === 'member' ? 1 : 0,
      mayJoin: role === 'guest',
    }
  }
  answerApi(joinIsland, () => {
    becomes('member')
    return { status: 200, body: { role: 'member' } }
  })
  answerApi(leaveIsland, () => {
    becomes('guest')
    return { status: 204 }
  })
  const joinedAt = '2025-01-02T03:04:05.000Z'
  const avatar = samplePicture
  const member = { username: 'nova', name: 'Nova Star', avatar, joinedAt }
  answerApi(listMembers, { status: 200, body: { members: [member], total: 1, hasMore: false } })
  await expect.element(parts.button('Report this island')).toBeVisible()
  await parts.button('Join').click()
  await expect.element(page.getByRole('main')).toMatchTextContent('You are a member.')
  await expect.element(parts.members).toMatchTextContent('Nova Star')
  expect(parts.members.element().querySelector('img')?.getAttribute('src')).toBe(avatar)
  await parts.button('Leave Harbor Light').click()
  await expect.element(parts.button('Stay')).toHaveFocus()
  await parts.button('Leave it').click()
  await expect.element(parts.button('Join')).toBeVisible()
})

test('the host finds the settings, and reads that it is a draft or why it is hidden', async () => {
  const hidden = { at: '2025-01-02T03:04:05.000Z', reason: 'It pretends to be a bank.' }
  await openIsland(sampleView({ role: 'host', publishedAt: null, hidden, mayJoin: false }), {
    user,
  })
  await expect
    .element(parts.link('Settings'))
    .toHaveAttribute('href', '/islands/harbor-light/settings')
  const main = page.getByRole('main')
  await expect.element(main).toMatchTextContent('Hosted by you')
  await expect.element(main).toMatchTextContent('It pretends to be a bank.')
  await expect.element(main).toMatchTextContent('This is a draft. Only you can see it.')
  await expect.element(parts.button('Report this island')).not.toBeInTheDocument()
})

test.each([
  ['this island', false],
  ['your islands', true],
])('R31 its host reads why the relay is stopped for %s', async (what, ofHost) => {
  answerRelay({ state: 'stopped' })
  const relayStopped = { at: '2025-01-02T03:04:05.000Z', reason: 'Phishing.', ofHost }
  await openIsland(sampleView({ role: 'host', isRelayed: true, relayStopped }), { user })
  const main = page.getByRole('main')
  await expect.element(main).toMatchTextContent(`stopped the relay for ${what}. Nobody can enter`)
  await expect.element(main).toMatchTextContent('They say: “Phishing.”')
})

test('an island without a link leads its host to the settings', async () => {
  await openIsland(sampleView({ role: 'host', mayJoin: false, address: null }), { user })
  await expect.element(page.getByRole('main')).toMatchTextContent('It has no link yet')
  await expect
    .element(parts.link('Set its link'))
    .toHaveAttribute('href', '/islands/harbor-light/settings/details')
})

test.each([
  ['signed out', undefined, 'Sign in'],
  ['signed in', user, 'Find islands'],
])('missing and forbidden islands look the same %s', async (_, visitor, way) => {
  await openIsland(undefined, visitor === undefined ? {} : { user: visitor })
  await expect.element(parts.name).toHaveTextContent('Nothing here that you can see')
  await expect.element(page.getByRole('main').getByRole('link', { name: way })).toBeVisible()
  await expect.poll(() => document.title).toBe('Nothing here · Astropelago')
})

test.each([
  ['its button', () => parts.button('Look again').click()],
  ['a return to the window', () => window.dispatchEvent(new Event('visibilitychange'))],
])('a new permission is noticed by %s, and nothing flickers before', async (_, lookAgain) => {
  await openIsland(undefined, { user })
  await expect.element(parts.name).toHaveTextContent('Nothing here that you can see')
  const { promise, resolve } = Promise.withResolvers<void>()
  const asked = answerApi(getIsland, async () => {
    await promise
    return { status: 200, body: sampleView() }
  })
  await lookAgain()
  await expect.poll(() => asked.length).toBe(1)
  await expect.element(parts.button('Look again')).toHaveAttribute('aria-disabled', 'true')
  await expect.element(parts.name).toHaveTextContent('Nothing here that you can see')
  resolve()
  await expect.element(parts.name).toHaveTextContent('Harbor Light')
})

test('an invalid slug sends no request', async () => {
  const { asked } = await openIsland(sampleView(), { path: '/islands/no_slug' })
  await expect.element(parts.name).toHaveTextContent('Nothing here that you can see')
  expect(asked).toEqual([])
})

test('an old slug leads to the new one, replacing history', async () => {
  const before = window.history.length
  await openIsland(sampleView(), { path: '/islands/Old-Harbor' })
  await expect.poll(() => window.location.pathname).toBe('/islands/harbor-light')
  await expect.element(parts.name).toHaveTextContent('Harbor Light')
  expect(window.history.length).toBe(before)
})

test('a slow answer shows a skeleton, and a failed one can be tried again', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  answerApi(readLog, { status: 200, body: { entries: [], next: null } })
  answerStream(streamIsland, IslandMessage)
  answerApi(getIsland, async () => {
    await promise
    return refused('rate_limited')
  })
  await openScreen('/islands/harbor-light')
  await expect.element(page.getByText('Loading the island…')).toBeInTheDocument()
  resolve()
  await expect.element(parts.name).toHaveTextContent('This island could not be loaded')
  answerApi(getIsland, { status: 200, body: sampleView() })
  await parts.button('Try again').click()
  await expect.element(parts.name).toHaveTextContent('Harbor Light')
})

test('closing and opening are announced on the open page', async () => {
  const { stream } = await openIsland(sampleView(), { user })
  await expect.poll(stream.open).toBe(1)
  const since = '2025-02-03T04:05:00.000Z'
  stream.tell({ type: 'island-open', payload: { id: 'harbor', isOpen: false, since } })
  await expect.element(page.getByText('Harbor Light is closed now.')).toBeInTheDocument()
  await expect
    .element(page.getByRole('main'))
    .toMatchTextContent(/Closed\s*since Feb 3, 2025, 04:05/)
  await expect.element(parts.enter).not.toBeInTheDocument()
  stream.tell({ type: 'island-open', payload: { id: 'harbor', isOpen: true, since } })
  await expect.element(page.getByText('Harbor Light is open now.')).toBeInTheDocument()
  await expect.element(parts.enter).toBeVisible()
})

test('losing access removes the content from the open page', async () => {
  const { server, stream } = await openIsland(sampleView(), { user, entries: [sampleLogEntry()] })
  await expect.element(parts.lines.first()).toMatchTextContent('Lovely tea.')
  await expect.poll(stream.open).toBe(1)
  server.view = sampleView({ ...shut, access: 'invited' })
  stream.tell({ type: 'island-changed', payload: { id: 'harbor' } })
  await expect.element(page.getByText('You can no longer enter Harbor Light.')).toBeInTheDocument()
  await expect.element(parts.button('Ask to join')).toBeVisible()
  await expect.element(page.getByText('Lovely tea.')).not.toBeInTheDocument()

  server.view = undefined
  stream.tell({ type: 'island-gone', payload: { id: 'harbor' } })
  await expect.element(parts.name).toHaveTextContent('Nothing here that you can see')
  await expect.poll(stream.open).toBe(0)
})

test('an entry by somebody else appears at once', async () => {
  const { server, stream } = await openIsland(sampleView(), { user })
  await expect.element(parts.log).toMatchTextContent('There is nothing here yet.')
  await expect.poll(stream.open).toBe(1)
  server.entries = [sampleLogEntry()]
  stream.tell({ type: 'island-log', payload: { id: 'harbor' } })
  await expect.element(parts.lines.first()).toMatchTextContent('Lovely tea.')
})

test('a message of a room is reported from the address that its page opens', async () => {
  const sent = answerApi(sendReport, { status: 204 })
  await openIsland(sampleView(), { user, path: '/islands/harbor-light?report=room-1-7' })
  const dialog = page.getByRole('dialog', { name: 'Report this message' })
  await dialog.getByRole('radio', { name: 'It is spam or advertising' }).click()
  await dialog.getByRole('button', { name: 'Send report' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(sent.map(({ body }) => body)).toEqual([
    { kind: 'room-message', id: 'room-1-7', reason: 'spam', text: '' },
  ])
  expect(window.location.search).toBe('')
})

test('a signed-out visitor signs in before reporting, and comes back to the report', async () => {
  await openIsland(sampleView(stranger), { path: '/islands/harbor-light?report=room-1-7' })
  await expect.element(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible()
  expect(window.location.search).toBe('?report=room-1-7&signin=1')
})
