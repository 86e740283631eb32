import {
  handOverIsland,
  listAllIslands,
  type OperatorIsland,
} from '@astropelago/contract/operator-islands'
import { startIslandRelay, stopIslandRelay } from '@astropelago/contract/operator-relay'
import { listRoomsAsOperator, readRoomAsOperator } from '@astropelago/contract/rooms'
import { hideSubject, showSubject } from '@astropelago/contract/reports'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '../../test/accessibility.ts'
import { answerApi, refused } from '../../test/answer-api.ts'
import { openOperator } from './testing/open-operator.tsx'

const at = '2026-01-02T03:04:05.000Z'
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')
const inDialog = (name: string) => dialog.getByRole('button', { name, exact: true })
const items = page.getByRole('list', { name: 'Islands' }).getByRole('listitem')
const search = page.getByRole('searchbox', { name: 'Search islands' })

function sampleIsland(details: Partial<OperatorIsland> = {}): OperatorIsland {
  return {
    id: 'island-1',
    slug: 'harbor-bar',
    name: 'Harbor Bar',
    access: 'public',
    isListed: true,
    isOpen: true,
    pause: null,
    host: 'eve',
    address: 'https://bar.example/',
    isRelayed: false,
    isHosted: false,
    relayStopped: null,
    memberCount: 3,
    createdAt: at,
    publishedAt: at,
    hidden: null,
    ...details,
  }
}

/** A server with these islands, which applies the actions on them. */
function answerIslands(...islands: OperatorIsland[]) {
  const change = (id: string, details: Partial<OperatorIsland>) => {
    const place = islands.findIndex((island) => island.id === id)
    const changed = { ...sampleIsland(), ...islands[place], ...details }
    islands[place] = changed
    return changed
  }
  const asked = answerApi(listAllIslands, ({ query: { search: wanted = '', after, limit } }) => {
    const all = islands.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
    const shown = all.slice(from, from + limit)
    return { status: 200, body: { islands: shown, hasMore: all.length > from + limit } }
  })
  const hides = answerApi(hideSubject, ({ params, body: { reason } }) => {
    change(params.id, { hidden: { at, reason } })
    return { status: 204 }
  })
  const shows = answerApi(showSubject, ({ params }) => {
    change(params.id, { hidden: null })
    return { status: 204 }
  })
  const handed = answerApi(handOverIsland, ({ params, body }) => ({
    status: 200,
    body: change(params.id, { host: body.host }),
  }))
  const stops = answerApi(stopIslandRelay, ({ params, body: { reason } }) => ({
    status: 200,
    body: change(params.id, { relayStopped: { at, reason } }),
  }))
  const starts = answerApi(startIslandRelay, ({ params }) => ({
    status: 200,
    body: change(params.id, { relayStopped: null }),
  }))
  return { asked, hides, shows, handed, stops, starts }
}

test('each island shows its state, host and access; public ones are links', async () => {
  answerIslands(
    sampleIsland(),
    sampleIsland({
      id: 'draft',
      slug: 'den-x1y2z3',
      name: 'Den',
      access: 'invited',
      isListed: false,
      isOpen: false,
      host: null,
      memberCount: 1,
      publishedAt: null,
      hidden: { at, reason: 'It is rude.' },
    }),
  )
  await openOperator('/islands')
  const [bar, den] = [items.first(), items.nth(1)]
  for (const text of ['of eve', 'for everybody, listed', 'open', '3 members']) {
    await expect.element(bar).toMatchTextContent(text)
  }
  const link = bar.getByRole('link', { name: 'harbor-bar' })
  await expect.element(link).toHaveAttribute('href', '/islands/harbor-bar')
  const author = bar.getByRole('link', { name: 'eve' })
  await expect.element(author).toHaveAttribute('href', '/mothership/users?user=eve')
  for (const text of ['belongs to this server', 'draft', 'closed', '1 member', 'It is rude.']) {
    await expect.element(den).toMatchTextContent(text)
  }
  await expect.element(den.getByRole('link', { name: 'den-x1y2z3' })).not.toBeInTheDocument()
  await expectAccessible()
})

test('the search runs while typing and stays in the address; islands load page by page', async () => {
  const many = Array.from({ length: 60 }, (_, index) =>
    sampleIsland({ id: `${index}`, name: `Isle ${index}` }),
  )
  const { asked } = answerIslands(...many)
  await page.viewport(360, 900)
  await openOperator('/islands')
  await expect.element(items).toHaveLength(50)
  await button('Show more').click()
  await expect.element(items).toHaveLength(60)
  await search.fill(' isle 59 ')
  await expect.element(items).toHaveLength(1)
  await expect.poll(() => window.location.search).toContain('q=')
  expect(asked.at(-1)?.query).toMatchObject({ search: 'isle 59' })
  await search.fill('nothing')
  await expect.element(page.getByText('No island has this name')).toBeVisible()
  await expectAccessible()
})

test('an empty list says so', async () => {
  answerIslands()
  await openOperator('/islands')
  await expect.element(page.getByText('There is no island yet')).toBeVisible()
})

test('hiding an island requires a reason; it can be shown again', async () => {
  const { hides, shows } = answerIslands(sampleIsland())
  await openOperator('/islands')
  await button('Hide Harbor Bar').click()
  await expect.element(dialog).toMatchTextContent('disappears for everybody at once')
  await inDialog('Hide it').click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Say why, in a few words.')
  await dialog.getByRole('textbox', { name: 'What its host will read' }).fill('Rude')
  await inDialog('Hide it').click()
  await expect.element(button('Show Harbor Bar again')).toBeVisible()
  const params = { kind: 'island', id: 'island-1' }
  expect(hides).toMatchObject([{ params, body: { reason: 'Rude' } }])

  await button('Show Harbor Bar again').click()
  await inDialog('Show it').click()
  await expect.element(button('Hide Harbor Bar')).toBeVisible()
  expect(shows).toMatchObject([{ params }])
})

test('the relay of an island can be stopped with a reason and started again', async () => {
  const other = sampleIsland({ id: 'island-2', name: 'Own Link' })
  const { stops, starts } = answerIslands(sampleIsland({ isRelayed: true }), other)
  await page.viewport(360, 900)
  await openOperator('/islands')
  await expect.element(button('Stop the relay of Own Link')).not.toBeInTheDocument()
  await button('Stop the relay of Harbor Bar').click()
  await expect.element(dialog).toMatchTextContent('cut off at once')
  await inDialog('Stop it').click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Say why, in a few words.')
  await dialog.getByRole('textbox', { name: 'What its host will read' }).fill('Phishing')
  await inDialog('Stop it').click()
  await expect.element(items.first()).toMatchTextContent('Relay stopped since')
  await expect.element(items.first()).toMatchTextContent('Phishing')
  const params = { id: 'island-1' }
  expect(stops).toMatchObject([{ params, body: { reason: 'Phishing' } }])

  await button('Start the relay of Harbor Bar again').click()
  await inDialog('Start it').click()
  await expect.element(button('Stop the relay of Harbor Bar')).toBeVisible()
  expect(starts).toMatchObject([{ params }])
})

test('pages of an island here are stopped and started in the same way', async () => {
  const { stops, starts } = answerIslands(sampleIsland({ isHosted: true, address: null }))
  await openOperator('/islands')
  await expect.element(items.first()).toMatchTextContent('pages here')
  await button('Stop the pages of Harbor Bar').click()
  await dialog.getByRole('textbox', { name: 'What its host will read' }).fill('Phishing')
  await inDialog('Stop it').click()
  await expect.element(items.first()).toMatchTextContent('Pages stopped since')
  await button('Start the pages of Harbor Bar again').click()
  await expect.element(dialog).toMatchTextContent('is back at once for everybody who may enter')
  await inDialog('Start it').click()
  await expect.element(button('Stop the pages of Harbor Bar')).toBeVisible()
  expect([stops.length, starts.length]).toEqual([1, 1])
})

test('the rooms of an island are read by the operators’ routes, below its name', async () => {
  answerIslands(sampleIsland({ isHosted: true }))
  const facts = { changedAt: at, messageCount: 0, peopleCount: 2, isReadOnly: false }
  const room = { ...facts, name: 'guests' }
  const listed = answerApi(listRoomsAsOperator, { status: 200, body: [room] })
  const contents = { ...room, messages: [], silenced: [] }
  const read = answerApi(readRoomAsOperator, { status: 200, body: contents })
  await openOperator('/islands')
  await page.getByRole('link', { name: 'Rooms of Harbor Bar' }).click()
  await page.getByRole('link', { name: 'guests' }).click()
  await expect.element(page.getByRole('heading', { name: 'guests' })).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Harbor Bar' })).toBeVisible()
  expect(listed[0]?.params).toEqual({ id: 'island-1' })
  expect(read[0]?.params).toEqual({ id: 'island-1', room: 'guests' })
  await page.getByRole('link', { name: 'All rooms' }).click()
  await expect.element(page.getByText(/^2 people now/)).toBeVisible()
})

test('an island is handed over by username; an unknown username stays in the form', async () => {
  const { handed } = answerIslands(sampleIsland())
  await openOperator('/islands')
  await button('Hand Harbor Bar over').click()
  const name = dialog.getByRole('textbox', { name: 'Username of its new host' })
  await name.fill(' ada ')
  await inDialog('Hand it over').click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(items.first()).toMatchTextContent('of ada')
  expect(handed).toMatchObject([{ params: { id: 'island-1' }, body: { host: 'ada' } }])

  const fields = { host: 'There is no user by that name.' }
  answerApi(handOverIsland, refused('invalid_input', fields))
  await button('Hand Harbor Bar over').click()
  await name.fill('nobody')
  await inDialog('Hand it over').click()
  await expect.element(dialog).toMatchTextContent(fields.host)
  await expectAccessible(dialog)
})

test('without a username an island goes to the installation, but only once', async () => {
  const { handed } = answerIslands(sampleIsland())
  await openOperator('/islands')
  await button('Hand Harbor Bar over').click()
  await inDialog('Hand it over').click()
  await expect.element(items.first()).toMatchTextContent('belongs to this server')
  expect(handed).toMatchObject([{ body: { host: null } }])
  await button('Hand Harbor Bar over').click()
  await inDialog('Hand it over').click()
  await expect.element(dialog).toMatchTextContent('Enter the username of its new host.')
  expect(handed).toHaveLength(1)
})
