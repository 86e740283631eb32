import type { ActivityItem } from '@astropelago/contract/island-log'
import { expect, test } from 'vitest'
import { createTestToken, registerTestDevice, sendHeartbeat } from '../../test/api-devices.ts'
import {
  joinTestIsland,
  leaveTestNote,
  publishTestIsland,
  sendTestSignal,
} from '../../test/api-islands.ts'
import type { TestBrowser } from '../../test/create-test-app.ts'
import { shareOperatorApp } from '../../test/operator-app.ts'

async function read(by: TestBrowser, query = '') {
  const response = await by.inject({ url: `/api/me/activity${query}` })
  return response.json<{ items: ActivityItem[]; next: string | null }>()
}

async function setUp() {
  const testApp = await shareOperatorApp()
  const { signUp, clock } = testApp
  const [ada, host] = [await signUp(), await signUp()]
  return {
    ...testApp,
    ada,
    host,
    now: () => new Date(clock.now()).toISOString(),
    names: async (by: TestBrowser) =>
      (await read(by)).items.map((item) =>
        item.type === 'flip' ? `${item.device.label} ${item.status}` : item.entry.text,
      ),
  }
}

test('flips of own devices and logs of hosted or joined islands are one list by time', async () => {
  const app = await setUp()
  const { ada, host, clock, now, names } = app
  const device = await registerTestDevice(ada, { visibility: 'private' })
  const { token } = await createTestToken(ada, device.id)
  const own = await publishTestIsland(ada, { access: 'public', isListed: false })
  const joined = await publishTestIsland(host, { access: 'members', isListed: false })
  const other = await publishTestIsland(host, { access: 'public', isListed: true })
  await joinTestIsland(ada, joined.id)
  clock.move(1)
  await leaveTestNote(host, own.id, 'Hello')
  clock.move(1)
  const flippedAt = now()
  await sendHeartbeat(app, token)
  clock.move(1)
  await sendTestSignal(host, joined.id, { text: 'A party' })
  await sendTestSignal(host, other.id, { text: 'elsewhere' })

  expect(await names(ada)).toEqual(['A party', 'Pi online', 'Hello', null])
  const { items } = await read(ada)
  expect(items[0]).toMatchObject({
    type: 'log',
    at: now(),
    island: { slug: joined.slug, name: joined.name },
    entry: { kind: 'signal', author: host.username, mayDelete: false },
  })
  expect(items[1]).toEqual({
    type: 'flip',
    id: `${device.id}.${Date.parse(flippedAt)}`,
    at: flippedAt,
    device: { id: device.id, label: 'Pi' },
    status: 'online',
  })
  expect(items[2]).toMatchObject({ entry: { author: host.username, mayDelete: true } })
  expect(items[3]).toMatchObject({ entry: { kind: 'joined', author: ada.username } })
})

test('S57 the log of an island that the user has left or may not enter is left out', async () => {
  const { ada, host, operator, names } = await setUp()
  const island = await publishTestIsland(host, { access: 'public', isListed: true })
  await joinTestIsland(ada, island.id)
  await sendTestSignal(host, island.id, { text: 'Here' })
  expect(await names(ada)).toContain('Here')
  const url = `/api/operator/hidden/island/${island.id}`
  await operator.inject({ method: 'POST', url, payload: { reason: 'Rude' } })
  expect(await names(ada)).toEqual([])
  expect(await names(host)).toContain('Here')
  await operator.inject({ method: 'DELETE', url })
  await ada.inject({ method: 'POST', url: `/api/islands/${island.id}/leave` })
  expect(await names(ada)).toEqual([])
  await joinTestIsland(ada, island.id)
  await host.inject({ method: 'POST', url: `/api/islands/${island.id}/blocks/${ada.username}` })
  expect(await names(ada)).toEqual([])
  expect(await names(host)).toContain('Here')
})

test.each([
  ['after a line in a log', 40, 10],
  ['after a flip', 10, 40],
])(
  'pages have no duplicates and no gaps, even if equal times are split %s',
  async (_, lineCount, flipCount) => {
    const { ada, storage, host, clock } = await setUp()
    const island = await publishTestIsland(ada, { access: 'public', isListed: true })
    await leaveTestNote(host, island.id, 'Before')
    clock.move(1)
    for (let at = 0; at < lineCount; at += 1) await leaveTestNote(host, island.id, `${at}`)
    const keys = []
    for (let at = 0; at < flipCount; at += 1) {
      const { id } = await registerTestDevice(ada, { label: `${at}` })
      keys.push(
        await storage.db
          .selectFrom('devices')
          .select('key')
          .where('id', '=', id)
          .executeTakeFirstOrThrow(),
      )
    }
    const flip = { status: 'online', at_ms: clock.now() } as const
    const flips = keys.map(({ key }) => Object.assign({ device_key: key }, flip))
    await storage.db.insertInto('presence_events').values(flips).execute()

    const first = await read(ada)
    expect(first.items).toHaveLength(30)
    const rest = await read(ada, `?after=${first.next}`)
    expect(rest).toMatchObject({ next: null })
    const ids = [...first.items, ...rest.items].map(({ id }) => id)
    expect(ids).toHaveLength(lineCount + flipCount + 1)
    expect(new Set(ids).size).toBe(ids.length)
    expect(rest.items.at(-1)).toMatchObject({ entry: { text: 'Before' } })
  },
)

test.each(['elsewhere', 'log.5', 'flip.x.y', 'note.5.a'])(
  'S40 “%s” is not a position in the list',
  async (after) => {
    const { ada } = await setUp()
    const refused = await ada.inject({ url: `/api/me/activity?after=${after}` })
    expect(refused.json()).toMatchObject({ code: 'invalid_input' })
  },
)
