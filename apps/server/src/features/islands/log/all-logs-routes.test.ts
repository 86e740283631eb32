import { listLogs } from '@astropelago/contract/all-logs'
import { logPageLength } from '@astropelago/contract/island-log'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import {
  joinTestIsland,
  leaveTestNote,
  publishTestIsland,
  sendTestSignal,
} from '../../../test/api-islands.ts'
import type { TestBrowser } from '../../../test/create-test-app.ts'
import { createOperatorApp } from '../../../test/operator-app.ts'

const openly = { access: 'public', isListed: true } as const
const byLink = { access: 'public', isListed: false } as const

async function setUp() {
  const testApp = await createOperatorApp()
  const { inject, signUp } = testApp
  const [host, ada] = [await signUp('Host'), await signUp('Ada')]
  const ask = (by: Pick<TestBrowser, 'inject'> = { inject }, query = '') =>
    by.inject({ url: `${listLogs.path}${query}` })
  const read = async (by?: Pick<TestBrowser, 'inject'>, query?: string) =>
    v.parse(listLogs.answers[200], (await ask(by, query)).json())
  const texts = async (by?: Pick<TestBrowser, 'inject'>, query?: string) =>
    (await read(by, query)).entries.map(({ entry }) => entry.text)
  const makeIsland = async (to: {
    access: 'public' | 'members' | 'invited'
    isListed: boolean
  }) => {
    const island = await publishTestIsland(host, to)
    await sendTestSignal(host, island.id, { text: `${to.access} ${to.isListed}` })
    return island
  }
  return { ...testApp, host, ada, ask, read, texts, makeIsland }
}

test('a reader gets the logs of all listed islands that the reader may enter', async () => {
  const { ada, host, clock, read, texts, makeIsland } = await setUp()
  const island = await makeIsland(openly)
  await makeIsland({ access: 'members', isListed: true })
  await makeIsland({ access: 'invited', isListed: true })
  await makeIsland(byLink)
  clock.move(1)
  const note = await leaveTestNote(ada, island.id, 'Nice')
  await joinTestIsland(ada, island.id)
  expect(await read()).toEqual({
    entries: [
      { island: { slug: island.slug, name: island.name }, entry: expect.anything() },
      {
        island: { slug: island.slug, name: island.name },
        entry: { ...note, mayDelete: false },
      },
      { island: { slug: island.slug, name: island.name }, entry: expect.anything() },
    ],
    island: null,
    next: null,
  })
  // Only members may see who joined.
  const joined = async (by?: TestBrowser) => (await read(by, '?kind=joined')).entries[0]?.entry
  expect(await joined()).toMatchObject({ kind: 'joined', author: null })
  expect(await joined(ada)).toMatchObject({ kind: 'joined', author: 'Ada' })
  expect(await texts(ada, '?kind=signal')).toEqual(['members true', 'public true'])
  // Hosts can read the logs of all their islands, listed or not.
  expect(await texts(host, '?kind=signal')).toEqual([
    'public false',
    'invited true',
    'members true',
    'public true',
  ])
})

test('only of islands that the user hosts, has joined or follows', async () => {
  const { ada, host, inject, texts, makeIsland } = await setUp()
  await makeIsland(openly)
  const joined = await makeIsland({ access: 'members', isListed: false })
  const followed = await makeIsland(byLink)
  const turnedDown = await makeIsland({ access: 'public', isListed: true })
  await joinTestIsland(ada, joined.id)
  const own = ['public false', 'members false']
  const follow = (id: string, changes: object) =>
    ada.inject({ method: 'PATCH', url: `/api/me/alerts/islands/${id}`, payload: changes })
  expect((await follow(followed.id, { isOn: true })).statusCode).toBe(200)
  // It has its own rules but is not followed.
  expect((await follow(turnedDown.id, { graceS: 60 })).statusCode).toBe(200)
  expect(await texts(ada, '?whose=own&kind=signal')).toEqual(own)
  expect(await texts(ada, '?kind=signal')).toEqual(['public true', ...own, 'public true'])
  expect(await texts({ inject }, '?whose=own')).toEqual([])
  await host.inject({
    method: 'POST',
    url: `/api/islands/${followed.id}/publish`,
    payload: { access: 'invited', isListed: false },
  })
  expect(await texts(ada, '?whose=own&kind=signal')).toEqual(['members false'])
})

describe('of one island', () => {
  test('by its slug or an old one, if the user may read its log', async () => {
    const { ada, host, inject, read, makeIsland } = await setUp()
    const island = await makeIsland(byLink)
    await makeIsland(openly)
    await host.inject({
      method: 'POST',
      url: `/api/islands/${island.id}/slug`,
      payload: { slug: 'lantern-quay' },
    })
    for (const slug of [island.slug, 'Lantern-Quay']) {
      expect(await read({ inject }, `?island=${slug}`)).toMatchObject({
        entries: [{ island: { slug: 'lantern-quay' }, entry: { text: 'public false' } }],
        island: { id: island.id, slug: 'lantern-quay', name: island.name },
      })
    }
    const none = { entries: [], island: null, next: null }
    expect(await read(ada, '?island=nowhere-at-all')).toEqual(none)
    const secret = await makeIsland({ access: 'invited', isListed: true })
    expect(await read(ada, `?island=${secret.slug}`)).toEqual(none)
  })
})

test('S54 S57 it leaves out hidden and withdrawn entries, and those of hidden and withdrawn islands', async () => {
  const { ada, host, operator, texts, makeIsland } = await setUp()
  const island = await makeIsland(openly)
  const { id } = await leaveTestNote(ada, island.id, 'Rude')
  const setHidden = (kind: string, which: string, method: 'POST' | 'DELETE') =>
    operator.inject({
      method,
      url: `/api/operator/hidden/${kind}/${which}`,
      ...(method === 'POST' && { payload: { reason: 'Rude' } }),
    })
  expect(await texts()).toEqual(['Rude', 'public true'])
  await setHidden('log-entry', id, 'POST')
  expect(await texts()).toEqual(['public true'])
  expect(await texts(ada)).toEqual(['Rude', 'public true'])
  await setHidden('log-entry', id, 'DELETE')
  await setHidden('island', island.id, 'POST')
  expect(await texts()).toEqual([])
  expect(await texts(ada)).toEqual([])
  expect(await texts(host)).toEqual(['Rude', 'public true'])
  await setHidden('island', island.id, 'DELETE')
  expect((await ada.inject({ method: 'DELETE', url: `/api/islands/log/${id}` })).statusCode).toBe(
    204,
  )
  expect(await texts()).toEqual(['public true'])
})

test('it comes a page at a time; an invalid position, kind or slug is refused', async () => {
  const { ada, ask, read, makeIsland } = await setUp()
  const islands = [await makeIsland(openly), await makeIsland(openly)]
  for (let at = 0; at < logPageLength; at += 1) {
    await leaveTestNote(ada, islands[at % 2]?.id ?? '', `${at}`)
  }
  const first = await read()
  expect(first.entries).toHaveLength(logPageLength)
  const rest = await read(ada, `?after=${first.next}`)
  expect(rest).toMatchObject({ next: null })
  const ids = [...first.entries, ...rest.entries].map(({ entry }) => entry.id)
  expect(new Set(ids).size).toBe(logPageLength + 2)
  for (const query of ['?after=elsewhere', '?kind=party', '?island=a--b', '?whose=theirs']) {
    expect((await ask(ada, query)).json()).toMatchObject({ code: 'invalid_input' })
  }
})
