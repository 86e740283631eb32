import { listAnnouncements } from '@astropelago/contract/announcements'
import { announcementsMax } from '@astropelago/contract/limits'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createOperatorApp, shareOperatorApp } from '../../test/operator-app.ts'

const hourMs = 3_600_000

async function setUp(made = shareOperatorApp()) {
  const testApp = await made
  const { inject, operator, clock } = testApp
  const url = '/api/operator/announcements'
  const listAll = async () =>
    (await operator.inject({ url })).json<{ id: string; title: string }[]>()
  const before = new Set((await listAll()).map(({ id }) => id))
  return {
    ...testApp,
    inHours: (hours: number) => new Date(clock.now() + hours * hourMs).toISOString(),
    announce: (payload: object) => operator.inject({ method: 'POST', url, payload }),
    change: (id: string, payload: object) =>
      operator.inject({ method: 'PATCH', url: `${url}/${id}`, payload }),
    takeBack: (id: string) => operator.inject({ method: 'DELETE', url: `${url}/${id}` }),
    /** What visitors get of this test's announcements. */
    shown: async () => {
      const response = await inject({ url: '/api/announcements' })
      const all = v.parse(listAnnouncements.answers[200], response.json())
      return all.filter(({ id }) => !before.has(id))
    },
    titlesForOperator: async () =>
      (await listAll()).filter(({ id }) => !before.has(id)).map(({ title }) => title),
  }
}

test('everybody reads an announcement at once, until the operator deletes it', async () => {
  const { inHours, announce, takeBack, shown } = await setUp()
  const words = { title: ' A new\u202E harbour ', text: 'Come\r\nand see \n' }
  const made = await announce(words)
  expect(made.statusCode).toBe(201)
  const { id } = made.json<{ id: string }>()
  expect(await shown()).toEqual([
    {
      id,
      level: 'news',
      title: 'A new harbour',
      text: 'Come\nand see',
      startsAt: inHours(0),
      endsAt: null,
    },
  ])
  expect((await takeBack(id)).statusCode).toBe(204)
  expect((await takeBack(id)).statusCode).toBe(404)
  expect(await shown()).toEqual([])
})

test('an announcement is shown from its start until its end', async () => {
  const { clock, inHours, announce, shown, titlesForOperator } = await setUp()
  await announce({ title: 'News' })
  const times = { startsAt: inHours(1), endsAt: inHours(2) }
  await announce({ level: 'warning', title: 'Storm', ...times })
  const titles = async () => (await shown()).map(({ title }) => title)
  expect(await titles()).toEqual(['News'])
  clock.move(hourMs)
  expect(await titles()).toEqual(['Storm', 'News'])
  clock.move(hourMs)
  expect(await titles()).toEqual(['News'])
  expect(await titlesForOperator()).toEqual(['Storm', 'News'])
})

test('a change applies only to the fields that it names, and is shown at once', async () => {
  const { clock, inHours, announce, change, shown } = await setUp()
  const made = await announce({ title: 'Storm', text: 'Soon', endsAt: inHours(2) })
  const before = made.json<{ id: string }>()
  const changes = { title: 'Storms', level: 'warning', endsAt: null }
  expect((await change(before.id, changes)).json()).toEqual({ ...before, ...changes })
  expect(await shown()).toEqual([{ ...before, ...changes }])
  clock.move(hourMs)
  await change(before.id, { endsAt: inHours(0) })
  expect(await shown()).toEqual([])
  expect((await change(crypto.randomUUID(), changes)).statusCode).toBe(404)
})

test.each([
  ['no title', { title: ' ' }],
  ['a title in lines', { title: 'a\nb' }],
  ['a title that is too long', { title: 'a'.repeat(121) }],
  ['a text that is too long', { title: 'a', text: 'a'.repeat(2001) }],
  ['another level', { title: 'a', level: 'panic' }],
  ['a time that is none', { title: 'a', startsAt: 'tomorrow' }],
  ['a day that is none', { title: 'a', endsAt: '2030-02-31T99:00:00Z' }],
  ['an end before the start', { title: 'a', endsAt: '2001-01-01T00:00:00Z' }],
])('%s is refused', async (_, payload) => {
  const { announce, change, shown } = await setUp()
  expect((await announce(payload)).json()).toMatchObject({ code: 'invalid_input' })
  const { id } = (await announce({ title: 'Fine' })).json<{ id: string }>()
  expect((await change(id, payload)).json()).toMatchObject({ code: 'invalid_input' })
  expect(await shown()).toMatchObject([{ title: 'Fine' }])
})

test('S52 the number of announcements is limited, and one that ends makes room', async () => {
  const { announce, change } = await setUp(createOperatorApp())
  const first = (await announce({ title: 'First' })).json<{ id: string; startsAt: string }>()
  for (let made = 1; made < announcementsMax; made += 1) await announce({ title: `${made}` })
  expect((await announce({ title: 'One more' })).json()).toMatchObject({ code: 'server_full' })
  const past = { startsAt: '2001-01-01T00:00:00Z', endsAt: '2001-01-02T00:00:00Z' }
  await change(first.id, past)
  expect((await announce({ title: 'One more' })).statusCode).toBe(201)
})

test('S59 the audit log contains what an operator announces, changes and deletes', async () => {
  const { operator, announce, change, takeBack } = await setUp()
  const { id } = (await announce({ title: 'Storm' })).json<{ id: string }>()
  await change(id, { title: 'Storms', text: 'Now' })
  await takeBack(id)
  const subject = `announcement:${id}`
  const { entries } = (
    await operator.inject({ url: `/api/operator/audit?actor=operator:${operator.username}` })
  ).json()
  expect(entries).toMatchObject([
    { action: 'announcement.deleted', subject },
    { action: 'announcement.changed', subject, details: { changed: 'title, text' } },
    { action: 'announcement.created', details: { title: 'Storm' } },
  ])
})
