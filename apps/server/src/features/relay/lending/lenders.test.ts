import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import * as v from 'valibot'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestToken, listOwnDevices, registerTestDevice } from '../../../test/api-devices.ts'
import { createTestApp } from '../../../test/create-test-app.ts'
import { AgentRefused, connectAgent } from '../../../test/relay-agent.ts'
import { createRelayApp } from '../../../test/relay-app.ts'
import { socketPair } from '../../../test/socket-pair.ts'
import { frame, FrameReader, frameTypes } from '../frames/frames.ts'
import { createLenders } from './lenders.ts'
import type { Assignment } from './lend-session.ts'

const lends = (perHour: string) => ({ headers: { 'astropelago-agent-lends': perHour } })
const assignment: Assignment = {
  target: { kind: 'tcp', host: 'example.org', port: 8443, periodS: 60, timeoutS: 1 },
  ports: [8443],
  isOwn: false,
}
const Assignment = v.looseObject({ nonce: v.string() })
const up = { outcome: 'up', tookMs: 0, why: '' } as const

const sendResult = (far: Duplex, result: object | string) =>
  far.write(
    frame(
      frameTypes.result,
      0,
      Buffer.from(typeof result === 'string' ? result : JSON.stringify(result)),
    ),
  )

/** Lenders with the far ends of their agents' connections. */
function setUp() {
  let isTokenHeld = true
  const lenders = createLenders({
    isTokenHeld: () => isTokenHeld,
    onAlive: () => undefined,
    aliveMs: 60_000,
  })
  onTestFinished(() => lenders.stop())

  const connect = async (deviceKey: number, { perHour = 100, agentId = randomUUID() } = {}) => {
    const [wire, far] = await socketPair()
    const assignments: v.InferOutput<typeof Assignment>[] = []
    let away: string | undefined
    const reader = new FrameReader(
      () => undefined,
      (type, _, payload) => {
        if (type === frameTypes.away) away = payload.toString()
        if (type !== frameTypes.assignment) return
        assignments.push(v.parse(Assignment, JSON.parse(payload.toString())))
      },
    )
    far.on('data', (chunk: Buffer) => reader.read(chunk))
    far.on('error', () => undefined)
    far.on('end', () => far.end())
    const caller = { deviceKey, tokenKey: 1 }
    lenders.add(wire, { agentId, caller, perHour, address: `203.0.113.${deviceKey}` })
    const assigned = async (count = 1) => {
      await expect.poll(() => assignments.length).toBe(count)
      return assignments[count - 1]?.nonce ?? ''
    }
    return { wire, far, agentId, assignments, assigned, away: () => away }
  }
  return { lenders, connect, endTokens: () => (isTokenHeld = false) }
}

test('[L7] looks for its own owner are not counted', async () => {
  const { lenders, connect } = setUp()
  const { far, assigned } = await connect(1, { perHour: 1 })
  for (const count of [1, 2]) {
    const asking = lenders.ask(1, { ...assignment, isOwn: true })
    sendResult(far, { nonce: await assigned(count), ...up })
    expect(await asking).toEqual(up)
  }
  const asking = lenders.ask(1, assignment)
  sendResult(far, { nonce: await assigned(3), ...up })
  expect(await asking).toEqual(up)
  expect(await lenders.ask(1, assignment)).toBeUndefined()
})

test('[L1] an agent lends without an island, carries no visitors, and counts as a heartbeat', async () => {
  const { url, token, visit, host } = await createRelayApp()
  const { headers } = await connectAgent(url, token, lends('30'))
  expect(headers['astropelago-agent-lends']).toBe('30')
  expect(headers['astropelago-island']).toBeUndefined()
  await expect.poll(async () => (await listOwnDevices(host))[0]?.status).toBe('online')
  expect((await visit()).status).toBe(503)
  const { id } = await registerTestDevice(host)
  const islandless = await createTestToken(host, id, undefined, 'relay')
  await expect(connectAgent(url, islandless.token)).rejects.toThrow(AgentRefused)
  const agent = await connectAgent(url, islandless.token, lends('99999'))
  expect(agent.headers['astropelago-agent-lends']).toBe('3600')
  await host.inject({ method: 'DELETE', url: `/api/devices/tokens/${islandless.id}` })
  await agent.closed
})

test('[L1] also on a server without a relay, with a number of looks', async () => {
  const testApp = await createTestApp({ config: { relayDomain: undefined } })
  const url = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
  const host = await testApp.signUp()
  const { id } = await registerTestDevice(host)
  const { token } = await createTestToken(host, id, undefined, 'relay')
  await connectAgent(url, token, lends('1'))
  for (const perHour of ['0', '-1', 'many']) {
    await expect(connectAgent(url, token, lends(perHour))).rejects.toThrow('400')
  }
  await expect(connectAgent(url, token)).rejects.toThrow('relay_off')
})

test('[L2] an agent is asked with a nonce, its addresses and the ports of the proof', async () => {
  const { lenders, connect } = setUp()
  const { far, assigned, assignments } = await connect(1)
  const asked = lenders.ask(1, assignment)
  const nonce = await assigned()
  expect(assignments[0]).toEqual({
    nonce,
    target: assignment.target,
    timeoutMs: 1000,
    ownAddresses: ['203.0.113.1'],
    ports: [8443],
    isOwn: false,
  })
  sendResult(far, { nonce, ...up })
  expect(await asked).toEqual(up)
  expect(await lenders.ask(2, assignment)).toBeUndefined()
})

test('[L2] an agent that carries islands loses its connection for a RESULT', async () => {
  const { url, token, visit } = await createRelayApp()
  const carrying = await connectAgent(url, token)
  await expect.poll(async () => (await visit()).status).toBe(200)
  carrying.wire.write(frame(frameTypes.result, 0, Buffer.from('{}')))
  await carrying.closed
  expect(carrying.away()).toBeUndefined()
})

test('[L7] no more looks than an agent lends in an hour', async () => {
  const { lenders, connect } = setUp()
  const { far, assigned } = await connect(1, { perHour: 2 })
  for (const count of [1, 2]) {
    const asked = lenders.ask(1, assignment)
    sendResult(far, { nonce: await assigned(count), ...up })
    await asked
  }
  expect(await lenders.ask(1, assignment)).toBeUndefined()
  const other = await connect(1)
  const asked = lenders.ask(1, assignment)
  sendResult(other.far, { nonce: await other.assigned(), ...up })
  expect(await asked).toEqual(up)
})

test('[L7] no more than 60 looks an hour at one host and port, by all agents of a device', async () => {
  const { lenders, connect } = setUp()
  const agents = [await connect(1), await connect(1)]
  const often = { periodS: 60, timeoutS: 1 }
  const tcp = (host: string) => ({ kind: 'tcp', host, port: 8443, ...often }) as const
  const page: Assignment['target'] = {
    kind: 'http',
    url: 'https://EXAMPLE.org:8443/',
    statuses: '200',
    text: null,
    followsRedirects: false,
    ...often,
  }
  const ask = (target: Assignment['target']) => lenders.ask(1, { ...assignment, target })
  const asked = Array.from({ length: 60 }, (_, at) => ask(at % 2 === 0 ? page : tcp('example.org')))
  expect(await ask(tcp('example.org'))).toBeUndefined()
  expect(await ask(page)).toBeUndefined()
  const count = () => agents.reduce((sum, { assignments }) => sum + assignments.length, 0)
  await expect.poll(count).toBe(60)
  void ask(tcp('other.example'))
  await expect.poll(count).toBe(61)
  void lenders.ask(1, { ...assignment, isOwn: true })
  await expect.poll(count).toBe(62)
  for (const { far } of agents) far.destroy()
  await Promise.all(asked)
})

test('[L9] a result counts once, from the connection that was asked, and in time', async () => {
  const { lenders, connect } = setUp()
  const [one, other] = [await connect(1), await connect(2)]
  const asked = lenders.ask(1, assignment)
  const nonce = await one.assigned()
  for (const wrong of [
    { nonce, ...up, outcome: 'maybe' },
    { nonce, ...up, tookMs: -1 },
    { nonce, ...up, why: 'x'.repeat(101) },
    { ...up },
    'no JSON',
    { nonce: 'another-nonce', ...up },
  ]) {
    sendResult(one.far, wrong)
  }
  sendResult(other.far, { nonce, ...up })
  const another = lenders.ask(2, assignment)
  sendResult(other.far, { nonce: await other.assigned(), ...up, why: 'other' })
  expect(await another).toMatchObject({ why: 'other' })
  sendResult(one.far, { nonce, outcome: 'down', tookMs: 3_600_000, why: 'status 500' })
  sendResult(one.far, { nonce, ...up })
  const result = await asked
  expect(result).toMatchObject({ outcome: 'down', why: 'status 500' })
  // It claims an hour.
  expect(result?.tookMs).toBeLessThan(5000)
})

test('[L9] nothing is taken after an agent’s time is up, or from one that has gone', async () => {
  const { lenders, connect } = setUp()
  const silent = await connect(1)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  let result: unknown = 'none yet'
  const late = lenders.ask(1, assignment).then((came) => (result = came))
  await vi.advanceTimersByTimeAsync(5900)
  expect(result).toBe('none yet')
  await vi.advanceTimersByTimeAsync(200)
  expect(await late).toBeUndefined()
  vi.useRealTimers()
  const asked = lenders.ask(1, assignment)
  await silent.assigned(2)
  silent.far.destroy()
  expect(await asked).toBeUndefined()
  expect(lenders.perHour(1)).toBeUndefined()
})

test('the newer connection with an agent’s id wins, and a token’s end ends all', async () => {
  const { lenders, connect, endTokens } = setUp()
  const older = await connect(1, { perHour: 200 })
  await connect(1, { agentId: older.agentId })
  await expect.poll(older.away).toBe('taken over')
  await expect.poll(() => lenders.perHour(1)).toBe(100)
  endTokens()
  lenders.recheck()
  await expect.poll(() => lenders.perHour(1)).toBeUndefined()
})
