import { directoryPageLength, listSignals } from '@astropelago/contract/island-directory'
import { deleteLogEntry } from '@astropelago/contract/island-log'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { publishTestIsland, sendTestSignal } from '../../../test/api-islands.ts'
import { createTestApp, type TestApp } from '../../../test/create-test-app.ts'

const openly = { access: 'public', isListed: true } as const

async function signals({ inject }: Pick<TestApp, 'inject'>, query = '') {
  const response = await inject({ url: `/api/islands/signals${query}` })
  return v.parse(listSignals.answers[200], response.json())
}

test('upcoming signals come first, then the newest, with their islands, a page at a time', async () => {
  const { clock, inject, signUp } = await createTestApp({})
  const host = await signUp('Nova')
  const island = await publishTestIsland(host, openly)
  for (let at = 0; at < directoryPageLength; at += 1) {
    clock.move(1000)
    await sendTestSignal(host, island.id, { text: `Said ${at}` })
  }
  const eventAt = new Date(clock.now() + 60_000).toISOString()
  await sendTestSignal(host, island.id, { text: 'Soon', eventAt })
  const first = await signals({ inject })
  expect(first.signals).toHaveLength(directoryPageLength)
  expect(first.signals[0]).toMatchObject({
    island: { slug: island.slug, name: island.name },
    entry: { kind: 'signal', text: 'Soon', eventAt, author: 'Nova', mayDelete: false },
  })
  const rest = await signals(host, `?after=${first.next}`)
  expect(rest.signals.map(({ entry }) => entry.text)).toEqual(['Said 0'])
  expect(rest.next).toBeNull()
})

test('S54 signals of islands that not everybody may see and enter are not listed', async () => {
  const { inject, signUp } = await createTestApp({})
  const host = await signUp()
  for (const to of [
    { access: 'public', isListed: false },
    { access: 'members', isListed: true },
    { access: 'invited', isListed: true },
  ] as const) {
    const { id } = await publishTestIsland(host, to)
    await sendTestSignal(host, id)
  }
  for (const one of [host, { inject }]) expect((await signals(one)).signals).toEqual([])
})

test('S52 the first page is read once a second for everybody, without what was deleted since', async () => {
  const { clock, inject, signUp } = await createTestApp({})
  const host = await signUp()
  const island = await publishTestIsland(host, openly)
  const first = await sendTestSignal(host, island.id, { text: 'First' })
  const texts = async () => (await signals({ inject })).signals.map(({ entry }) => entry.text)
  expect(await texts()).toEqual(['First'])
  await sendTestSignal(host, island.id, { text: 'Second' })
  expect(await texts()).toEqual(['First'])
  const url = deleteLogEntry.path.replace(':id', first.id)
  expect((await host.inject({ method: 'DELETE', url })).statusCode).toBe(204)
  expect(await texts()).toEqual([])
  clock.move(1000)
  expect(await texts()).toEqual(['Second'])
})
