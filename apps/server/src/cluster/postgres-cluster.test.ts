import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readStream } from '../features/streams/testing/read-stream.ts'
import { silentAfterMs } from '../storage/postgres-instance.ts'
import {
  createTestToken,
  listOwnDevices,
  registerTestDevice,
  sendHeartbeat,
} from '../test/api-devices.ts'
import type { TestBrowser } from '../test/create-test-app.ts'
import { runStatement } from '../test/test-databases.ts'
import { followFeed } from './testing/feed-follower.ts'
import { startCluster, startServer, type TestServer } from './testing/test-cluster.ts'
import { inTime } from '../test/in-time.ts'

vi.setConfig({ testTimeout: 60_000 })

/** What is acknowledged holds everywhere within this. */
const soon = { timeout: 1000, interval: 20 }
/** A server that is away for less is not taken to have been away. */
const longestGapMs = silentAfterMs + 1000

/** The same browser's calls by another server. */
function callsOf({ inject }: TestServer, { cookies, username }: TestBrowser): TestBrowser {
  return { username, cookies, inject: (request) => inject({ ...request, cookies }) }
}

function follow(urls: readonly string[]) {
  let turn = 0
  const follower = followFeed(() => urls[turn++ % urls.length] ?? '')
  onTestFinished(() => follower.stop())
  return follower
}

async function publicLabels({ inject }: TestServer): Promise<string[]> {
  const devices: { label: string }[] = (await inject({ url: '/api/devices' })).json()
  return devices.map(({ label }) => label)
}

async function sequenceOf({ inject }: TestServer): Promise<string> {
  const { headers } = await inject({ url: '/api/devices' })
  return String(headers.etag).replaceAll('"', '')
}

/** Two servers, a user signed in by the first, and a device with a token. */
async function setUp(config: Parameters<typeof startCluster>[1] = {}) {
  const { servers, databaseUrl } = await startCluster(2, config)
  const [leader, other] = servers
  if (leader === undefined || other === undefined) throw new Error('two servers')
  const owner = await leader.signUp()
  const { id } = await registerTestDevice(owner)
  const { token, id: tokenId } = await createTestToken(owner, id)
  return { databaseUrl, leader, other, owner, away: callsOf(other, owner), id, token, tokenId }
}

test('what one server acknowledged holds on the next call to another: sessions, tokens, devices', async () => {
  const { other, away, id, token } = await setUp()
  expect((await away.inject({ url: '/api/me' })).statusCode).toBe(200)
  expect(await sendHeartbeat(other, token)).toBe(204)
  expect(await listOwnDevices(away)).toMatchObject([{ id, status: 'online' }])
})

test('S33 a new token of another server is accepted while bad ones are limited', async () => {
  const { leader, other, owner, id } = await setUp({ limitExempt: [] })
  const bad = `apd_${'0'.repeat(43)}`
  await vi.waitFor(async () => expect(await sendHeartbeat(other, bad)).toBe(429), { interval: 0 })
  const { token } = await createTestToken(owner, id)
  expect(await sendHeartbeat(other, token)).toBe(204)
  expect(await sendHeartbeat(other, bad)).toBe(429)
  expect(await sendHeartbeat(leader, bad)).toBe(401)
})

test('S57 S22 sessions, tokens and devices ended on one server end on another within a second', async () => {
  const { leader, other, owner, away, id, token, tokenId } = await setUp()
  expect(await sendHeartbeat(other, token)).toBe(204)
  await owner.inject({ method: 'DELETE', url: `/api/devices/tokens/${tokenId}` })
  await vi.waitFor(async () => expect(await sendHeartbeat(other, token)).toBe(401), soon)

  const { token: second } = await createTestToken(away, id)
  expect(await sendHeartbeat(leader, second)).toBe(204)
  await away.inject({ method: 'DELETE', url: `/api/devices/${id}` })
  await vi.waitFor(async () => expect(await sendHeartbeat(leader, second)).toBe(401), soon)
  await vi.waitFor(async () => expect(await publicLabels(leader)).toEqual([]), inTime)

  expect((await away.inject({ url: '/api/me' })).statusCode).toBe(200)
  await owner.inject({ url: '/api/auth/logout', headers: { 'sec-fetch-site': 'same-origin' } })
  const signedOut = async () => (await away.inject({ url: '/api/me' })).statusCode
  await vi.waitFor(async () => expect(await signedOut()).toBe(401), soon)
})

test('[P10] a device’s reports to one server reach its owner on another, the newest last', async () => {
  const { leader, other, owner, away, id, token } = await setUp()
  const say = async ({ inject }: TestServer, status: string, payload: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
    const url = `/api/devices/heartbeat-token?status=${status}`
    const answer = await inject({ method: 'POST', url, headers, payload })
    expect(answer.statusCode).toBe(204)
  }
  const streams = await Promise.all([
    readStream(leader.url, '/api/me/stream', owner),
    readStream(other.url, '/api/me/stream', away),
  ])
  const isAlerted = async (report: object) => {
    const payload = { id, report: expect.objectContaining(report) }
    for (const { messages } of streams) {
      await vi.waitFor(
        () => expect(messages).toContainEqual({ type: 'device-report', payload }),
        // A stream that has just told rests.
        inTime,
      )
    }
    for (const browser of [owner, away])
      expect((await listOwnDevices(browser))[0]?.report).toMatchObject(report)
  }
  await say(other, 'fail', 'disk full')
  await isAlerted({ status: 'fail', text: 'disk full' })
  const [first] = await listOwnDevices(owner)
  // Each server keeps one in 10 seconds: this is the first that the leader heard.
  await say(leader, 'fail', 'disk fuller')
  await isAlerted({ status: 'fail', text: 'disk fuller', since: first?.report?.since })
  const rows = await leader.storage.db.selectFrom('device_reports').selectAll().execute()
  expect(rows).toHaveLength(1)
})

test('[P11] a schedule set on one server holds on another within a second', async () => {
  const { other, owner, away, id, token } = await setUp()
  await sendHeartbeat(other, token)
  const schedule = { kind: 'period', periodS: 3600, graceS: 0 } as const
  await owner.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload: { schedule } })
  for (const own of [owner, away]) {
    await expect
      .poll(() => listOwnDevices(own), soon)
      .toMatchObject([{ schedule, expectedAt: expect.any(String) }])
  }
  await owner.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload: { schedule: null } })
  await expect.poll(() => listOwnDevices(away), soon).toMatchObject([{ expectedAt: null }])
})

test('S57 an island that an operator hides leaves another server and its feed within a second', async () => {
  const { leader, other, id, token } = await setUp({ operators: new Set(['captain']) })
  const operator = await leader.signUp('captain')
  const url = `/api/operator/hidden/device/${id}`
  const isShown = async () => (await other.inject({ url: `/api/devices/${id}` })).statusCode === 200
  const follower = follow([other.url])
  await vi.waitFor(() => expect(follower.devices().size).toBe(1), inTime)
  await vi.waitFor(async () => expect(await publicLabels(other)).toEqual(['Pi']), inTime)

  await operator.inject({ method: 'POST', url, payload: { reason: 'Rude' } })
  await vi.waitFor(async () => expect(await publicLabels(other)).toEqual([]), soon)
  // Pages hear of it by way of the server that leads.
  await vi.waitFor(() => expect(follower.devices().size).toBe(0), inTime)
  expect(await isShown()).toBe(false)
  expect(await sendHeartbeat(other, token)).toBe(204)

  // Shown again it stands where it stood, with what it has been since.
  await operator.inject({ method: 'DELETE', url })
  await vi.waitFor(() => expect(follower.devices().get(id)?.status).toBe('online'), inTime)
  expect(await isShown()).toBe(true)
})

test('another server reads a name and a key-value as they were written', async () => {
  const { owner, away } = await setUp()
  const write = (value: string) =>
    owner.inject({
      method: 'POST',
      url: '/_spark/kv/theme',
      headers: { 'content-type': 'text/plain' },
      payload: value,
    })
  const read = async () => (await away.inject({ url: '/_spark/kv/theme' })).body
  await write('"dark"')
  expect(await read()).toBe('"dark"')
  await write('"light"')
  await vi.waitFor(async () => expect(await read()).toBe('"light"'), soon)

  expect((await away.inject({ url: '/api/me' })).json()).toMatchObject({ user: { name: null } })
  await owner.inject({ method: 'PATCH', url: '/api/me', payload: { name: 'Nova' } })
  const me = async () => (await away.inject({ url: '/api/me' })).json()
  await vi.waitFor(async () => expect(await me()).toMatchObject({ user: { name: 'Nova' } }), soon)
})

test('[P7] a heartbeat to any server reaches the feeds of all within a second', async () => {
  const { leader, other, owner, id, token } = await setUp()
  const { id: secondId } = await registerTestDevice(owner)
  const { token: secondToken } = await createTestToken(owner, secondId)
  const followers = [follow([leader.url]), follow([other.url])]
  await vi.waitFor(() => {
    for (const { devices } of followers) expect(devices().size).toBe(2)
  }, inTime)
  for (const [server, of, bearer] of [
    [other, id, token],
    [leader, secondId, secondToken],
  ] as const) {
    expect(await sendHeartbeat(server, bearer)).toBe(204)
    await vi.waitFor(() => {
      for (const { devices } of followers) expect(devices().get(of)?.status).toBe('online')
    }, soon)
  }
  const [one, another] = followers.map(({ sequences }) => sequences().slice(-2))
  expect(one).toEqual(another)
})

test('[P7] a reader that continues on another server misses nothing and gets nothing twice', async () => {
  const { leader, other, owner, id } = await setUp()
  const straight = follow([leader.url])
  await vi.waitFor(() => expect(straight.devices().size).toBe(1), inTime)
  const wandering = follow([leader.url, leader.url, other.url, leader.url, other.url])
  await vi.waitFor(() => expect(wandering.devices().size).toBe(1), inTime)
  for (const label of ['One', 'Two', 'Three', 'Four']) {
    await owner.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload: { label } })
    await vi.waitFor(() => expect(straight.devices().get(id)?.label).toBe(label), inTime)
    // Every reader of the feed comes back, at once and by the next server.
    for (const server of [leader, other]) endFeeds(server)
    await vi.waitFor(() => expect(wandering.devices().get(id)?.label).toBe(label), inTime)
  }
  const numbers = wandering.sequences().map((sequence) => Number(sequence.split('-').at(-1)))
  expect(numbers).toEqual(numbers.map((_, i) => (numbers[0] ?? 0) + i))
  expect(wandering.loads()).toBe(1)
})

function endFeeds({ app }: TestServer): void {
  app.server.closeAllConnections()
}

test('[P7] a server waits until it has read up to a reader’s sequence from another server', async () => {
  const { leader, other, owner, id } = await setUp()
  const before = await sequenceOf(leader)
  await owner.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload: { label: 'Next' } })
  await vi.waitFor(async () => expect(await sequenceOf(leader)).not.toBe(before), inTime)
  const since = await sequenceOf(leader)
  const told = readUntil(`${other.url}/api/devices/stream?since=${since}`, 'data: ')
  await owner.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload: { label: 'After' } })
  expect(await told).toContain('"label":"After"')
  const never = `${since.split('-')[0]}-999999999`
  const refused = readUntil(`${other.url}/api/devices/stream?since=${never}`, 'data: ')
  expect(await refused).toContain('reload')
})

test('another server leads within 5 s of the leader being cut off and publishes what it missed', async () => {
  const { leader, other, owner, away, id, token } = await setUp()
  const follower = follow([other.url])
  await vi.waitFor(() => expect(follower.devices().size).toBe(1), inTime)
  // Acknowledged by the leader, and it is gone before its next message.
  await Promise.all([
    owner.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload: { label: 'Last' } }),
    sendHeartbeat(leader, token),
  ])
  leader.proxy.cut()
  const startMs = performance.now()
  await vi.waitFor(() => {
    expect(follower.devices().get(id)).toMatchObject({ label: 'Last', status: 'online' })
  }, inTime)
  expect(performance.now() - startMs).toBeLessThan(5000)
  const events = await other.storage.db.selectFrom('presence_events').select('status').execute()
  expect(events).toEqual([{ status: 'online' }])
  await away.inject({ method: 'DELETE', url: `/api/devices/${id}` })
  await vi.waitFor(() => expect(follower.devices().size).toBe(0), soon)
  leader.proxy.mend()
  await vi.waitFor(async () => expect(await publicLabels(leader)).toEqual([]), inTime)
  await vi.waitFor(async () => {
    expect((await leader.inject({ url: '/readyz' })).statusCode).toBe(200)
  }, inTime)
})

test('S44 a server that is cut off answers nothing from memory, ends its streams, and recovers by itself', async () => {
  const { leader, other, owner, id, token } = await setUp()
  const cut = other
  const away = callsOf(cut, owner)
  await owner.inject({
    method: 'POST',
    url: '/_spark/kv/theme',
    headers: { 'content-type': 'text/plain' },
    payload: '"dark"',
  })
  let etag = ''
  const loadList = async () => {
    const list = await fetch(`${cut.url}/api/devices`)
    etag = list.headers.get('etag') ?? ''
    return await list.text()
  }
  await loadList()
  const cookie = Object.entries(owner.cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  const ask = async () => {
    const answers = await Promise.all([
      fetch(`${cut.url}/api/devices`, {
        headers: { 'if-none-match': etag },
      }),
      fetch(`${cut.url}/_spark/kv/theme`, { headers: { cookie } }),
      fetch(`${cut.url}/api/devices/heartbeat-token`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      }),
      fetch(`${cut.url}/readyz`),
    ])
    return answers.map(({ status }) => status)
  }
  await vi.waitFor(async () => expect(await ask()).toEqual([304, 200, 204, 200]), inTime)
  const follower = follow([cut.url])
  await vi.waitFor(() => expect(follower.devices().size).toBe(1), inTime)
  const feed = readUntil(`${cut.url}/api/devices/stream`, '"type":"reload"')

  // What the heartbeats changed is told, and the list is the last one.
  await vi.waitFor(async () => expect(await loadList()).toContain('"online"'), inTime)

  cut.proxy.cut()
  expect(await feed).toContain('reload')
  await vi.waitFor(async () => expect(await ask()).toEqual([503, 503, 503, 503]), inTime)
  expect((await fetch(`${cut.url}/healthz`)).status).toBe(200)
  await owner.inject({
    method: 'PATCH',
    url: `/api/devices/${id}`,
    payload: { label: 'Meanwhile' },
  })
  expect(follower.devices().get(id)?.label).toBe('Pi')

  cut.proxy.mend()
  await vi.waitFor(async () => expect(await ask()).toEqual([200, 200, 204, 200]), inTime)
  await vi.waitFor(() => expect(follower.devices().get(id)?.label).toBe('Meanwhile'), inTime)
  expect(await listOwnDevices(away)).toMatchObject([{ label: 'Meanwhile', status: 'online' }])
  expect(cut.fatal()).toBeUndefined()
  expect(await publicLabels(leader)).toEqual(['Meanwhile'])
})

test('[P5] devices last heard by a server that is gone get another window, others do not', async () => {
  const { leader, other, owner, id, token } = await setUp({ onlineWindowMs: 3000 })
  const { id: secondId } = await registerTestDevice(owner, { label: 'Second' })
  const { token: secondToken } = await createTestToken(owner, secondId)
  await sendHeartbeat(leader, secondToken)
  await sendHeartbeat(other, token)
  other.proxy.cut()
  const statusOf = async (of: string) =>
    (await listOwnDevices(owner)).find((device) => device.id === of)?.status
  await vi.waitFor(async () => expect(await statusOf(secondId)).toBe('offline'), inTime)
  await wait(longestGapMs)
  expect(await statusOf(id)).toBe('online')
  other.proxy.mend()
  await vi.waitFor(async () => expect(await statusOf(id)).toBe('offline'), inTime)
})

test('[P6] the leader’s sweep does not overrule another server’s heartbeat', async () => {
  const { leader, other, owner, id, token } = await setUp({ onlineWindowMs: 1500 })
  const follower = follow([leader.url])
  await sendHeartbeat(leader, token)
  await vi.waitFor(() => expect(follower.devices().get(id)?.status).toBe('online'), inTime)
  for (let beats = 0; beats < 20; beats += 1) {
    await sendHeartbeat(other, token)
    await wait(200)
  }
  const events = await leader.storage.db.selectFrom('presence_events').select('status').execute()
  expect(events).toEqual([{ status: 'online' }])
  expect(await listOwnDevices(owner)).toMatchObject([{ status: 'online' }])
})

test('limits on devices and tokens hold when several servers are asked at once', async () => {
  const { owner, away, id } = await setUp()
  const both = [owner, away]
  const made = await Promise.all(
    Array.from({ length: 24 }, (_, i) =>
      createTestToken(both[i % 2] ?? owner, id).then(
        () => 1,
        () => 0,
      ),
    ),
  )
  const tokens = await owner.inject({ url: `/api/devices/${id}/tokens` })
  expect(tokens.json()).toHaveLength(10)
  expect(made.filter((one) => one === 1)).toHaveLength(9)
})

test('S44 messages that the database refuses are published once it accepts them', async () => {
  const { databaseUrl, leader, other, owner } = await setUp()
  await runStatement(databaseUrl, 'alter table feed_messages rename to feed_messages_away')
  const { id } = await registerTestDevice(owner)
  await wait(1000)
  expect((await leader.inject({ url: '/healthz' })).statusCode).toBe(200)
  await runStatement(databaseUrl, 'alter table feed_messages_away rename to feed_messages')
  const listed = async () => (await other.inject({ url: '/api/devices' })).body
  await vi.waitFor(async () => expect(await listed()).toContain(id), inTime)
})

// As it goes over the wire: settings of a connection have the word in them too.
test.each(['delete from', 'commit\0'])(
  'S22 a deletion whose %j is cut off reaches memory once it is in the database',
  async (statement) => {
    const { other, owner, away, id, token } = await setUp()
    // From here on it has the token in memory.
    expect(await sendHeartbeat(other, token)).toBe(204)
    other.proxy.loseAnswerTo(statement)
    const { statusCode } = await away.inject({ method: 'DELETE', url: `/api/devices/${id}` })
    expect(statusCode).toBe(503)
    other.proxy.mend()
    await vi.waitFor(async () => {
      expect((await other.inject({ url: '/readyz' })).statusCode).toBe(200)
    }, inTime)
    const isKept = (await owner.inject({ url: `/api/devices/${id}` })).statusCode === 200
    const status = isKept ? 204 : 401
    await vi.waitFor(async () => expect(await sendHeartbeat(other, token)).toBe(status), soon)
    expect(isKept).toBe(statement === 'delete from')
  },
)

test('a server that the others have moved past ends, to start anew', async () => {
  const { leader, other, owner, id } = await setUp()
  other.proxy.cut()
  for (const label of ['One', 'Two']) {
    await owner.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload: { label } })
  }
  await sql`delete from changes where number < (select max(number) from changes)`.execute(
    leader.storage.db,
  )
  other.proxy.mend()
  await vi.waitFor(() => expect(other.fatal()?.message).toMatch(/away .* too long/), inTime)
})

test('S44 a follower that is cut off for a minute ends, to start anew; a former leader stays', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { servers } = await startCluster(3)
  const [leader, other, third] = servers
  if (leader === undefined || other === undefined || third === undefined) throw new Error('three')
  const areReady = (expected: readonly number[]) =>
    vi.waitFor(async () => {
      const ready = servers.map(async ({ inject }) => (await inject({ url: '/readyz' })).statusCode)
      expect(await Promise.all(ready)).toEqual(expected)
    }, inTime)
  leader.proxy.cut()
  other.proxy.cut()
  vi.advanceTimersByTime(1500)
  for (const { logged } of [leader, other])
    await vi.waitFor(() => expect(logged()).toContain('is cut off from its database'), inTime)
  await areReady([503, 503, 200])
  // All of them find that they know nothing of the last minute; the third one reads it.
  vi.advanceTimersByTime(59_000)
  await areReady([503, 503, 200])
  expect(servers.map(({ fatal }) => fatal())).toEqual([undefined, undefined, undefined])
  vi.advanceTimersByTime(1000)
  await vi.waitFor(() => expect(other.fatal()?.message).toMatch(/cut off .* a minute/), inTime)
  await areReady([503, 503, 200])
  expect([leader.fatal(), third.fatal()]).toEqual([undefined, undefined])
})

test('servers whose database was set back end, to start anew from it', async () => {
  const { leader, other } = await setUp()
  const epochOf = async () =>
    await sql`select feed_epoch from leadership`.execute(leader.storage.db).then(({ rows }) => rows)
  const before = await epochOf()
  // As after a standby took over that lagged, or a backup was restored: before all that anybody has read.
  await sql`update writers set number = -1 where writer = ${leader.storage.instance.writer}`.execute(
    other.storage.db,
  )
  for (const { fatal } of [leader, other]) {
    await vi.waitFor(() => expect(fatal()?.message).toMatch(/set back/), inTime)
  }
  expect(await epochOf()).not.toEqual(before)
})

test('a server that joins knows what the others know, and returning readers lose nothing', async () => {
  const { databaseUrl, leader, owner, id, token } = await setUp()
  const follower = follow([leader.url])
  await vi.waitFor(() => expect(follower.devices().size).toBe(1), inTime)
  await owner.inject({ method: 'PATCH', url: `/api/devices/${id}`, payload: { label: 'Roof' } })
  await vi.waitFor(() => expect(follower.devices().get(id)?.label).toBe('Roof'), inTime)
  const since = follower.sequences().at(-1)
  await sendHeartbeat(leader, token)
  await vi.waitFor(() => expect(follower.devices().get(id)?.status).toBe('online'), inTime)
  const joined = await startServer(databaseUrl)
  expect(await listOwnDevices(callsOf(joined, owner))).toMatchObject([{ id, status: 'online' }])
  const text = await readUntil(`${joined.url}/api/devices/stream?since=${since}`, 'data: ')
  expect(text).toContain('"status":"online"')
})

/** What a feed says until a text is in it. */
async function readUntil(url: string, until: string): Promise<string> {
  const { body } = await fetch(url)
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  onTestFinished(() => reader?.cancel())
  for (let text = ''; ;) {
    const { value = '', done = true } = (await reader?.read()) ?? {}
    text += value
    if (done || text.includes(until)) return text
  }
}
