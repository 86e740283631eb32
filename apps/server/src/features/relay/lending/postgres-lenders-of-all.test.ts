import { request } from 'node:http'
import type { Duplex } from 'node:stream'
import { CheckHistory, getOwnCheck, OwnCheck, runCheck } from '@astropelago/contract/checks'
import { relayProtocol } from '@astropelago/contract/relay'
import * as v from 'valibot'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeTestCheck } from '../../../test/api-checks.ts'
import { createTestToken, registerTestDevice } from '../../../test/api-devices.ts'
import { frame, FrameReader, frameTypes } from '../frames/frames.ts'
import { startRelayCluster } from '../instances/testing/relay-cluster.ts'

vi.setConfig({ testTimeout: 60_000 })
const Assignment = v.looseObject({ nonce: v.string(), target: v.looseObject({}) })
const soon = { timeout: 20_000, interval: 50 }

/** An agent that lends, and answers each assignment with `up`. */
async function lend(url: string, token: string) {
  const asked = request(new URL('/api/relay/connect', url), {
    agent: false,
    headers: {
      authorization: `Bearer ${token}`,
      connection: 'Upgrade',
      upgrade: relayProtocol,
      'astropelago-agent': '7d1c1f0e-9a44-4c35-a7f5-6c6d21b44e0c',
      'astropelago-agent-lends': '90',
    },
  })
  asked.end()
  const wire = await new Promise<Duplex>((resolve, reject) => {
    asked.on('error', reject).on('upgrade', (_, socket: Duplex, head) => {
      if (head.length > 0) socket.unshift(head)
      resolve(socket)
    })
  })
  onTestFinished(() => void wire.destroy())
  const assignments: v.InferOutput<typeof Assignment>[] = []
  const reader = new FrameReader(
    () => undefined,
    (type, _, payload) => {
      if (type === frameTypes.ping) wire.write(frame(frameTypes.pong, 0, Buffer.from(payload)))
      if (type !== frameTypes.assignment) return
      const assignment = v.parse(Assignment, JSON.parse(payload.toString()))
      assignments.push(assignment)
      const result = { nonce: assignment.nonce, outcome: 'up', tookMs: 0, why: '' }
      wire.write(frame(frameTypes.result, 0, Buffer.from(JSON.stringify(result))))
    },
  )
  wire.on('data', (chunk: Buffer) => reader.read(chunk)).on('error', () => undefined)
  return { assignments, end: () => wire.destroy() }
}

test('[C12] the leader has agents look that are connected to another server', async () => {
  const { servers } = await startRelayCluster(2)
  const [leader, other] = servers
  if (leader === undefined || other === undefined) throw new Error('no server')
  const [owner, lender] = [await leader.signUp(), await leader.signUp()]
  const device = await registerTestDevice(lender)
  const { token } = await createTestToken(lender, device.id, undefined, 'relay')
  const agent = await lend(other.url, token)
  const location = `/api/me/check-locations/${device.id}`
  const setLending = () =>
    lender.inject({ method: 'PUT', url: location, payload: { isLending: true, region: 'Oslo' } })
  expect((await setLending()).statusCode).toBe(204)
  const perHour = async () => (await lender.inject({ url: '/api/me/check-locations' })).json()
  await vi.waitFor(async () => expect(await perHour()).toMatchObject([{ perHour: 90 }]), soon)

  const target = { kind: 'tcp', host: 'harbor.example', port: 8443, timeoutS: 2 }
  const payload = { name: 'Harbor', target }
  const made = await owner.inject({ method: 'POST', url: '/api/me/checks', payload })
  const { id } = v.parse(OwnCheck, made.json())
  const { db } = leader.storage
  const { user_key } = await db
    .selectFrom('checks')
    .select('user_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const nowMs = leader.clock.now()
  const proof = { user_key, place: 'harbor.example:8443', code: 'code' }
  await db
    .insertInto('check_proofs')
    .values({ ...proof, proven_ms: nowMs, asked_ms: nowMs })
    .execute()
  // Reads proofs again.
  await setLending()
  await vi.waitFor(() => expect(agent.assignments).toHaveLength(1), soon)
  expect(agent.assignments[0]?.target).toMatchObject(target)
  const history = async () =>
    v.parse(CheckHistory, (await owner.inject({ url: `/api/checks/${id}/history` })).json())
  await vi.waitFor(
    async () => expect((await history()).locations).toMatchObject([{ name: 'Oslo' }]),
    soon,
  )
  agent.end()
  await vi.waitFor(async () => expect(await perHour()).toMatchObject([{ perHour: null }]), soon)
})

test.each([
  { agentOf: 'the leader', asked: 'another server' },
  { agentOf: 'another server', asked: 'another server' },
  { agentOf: 'another server', asked: 'the leader' },
])(
  '[C17] a device of $agentOf looks at once for its owner, asked at $asked',
  async ({ agentOf, asked }) => {
    const { servers } = await startRelayCluster(2)
    const [leader, other] = servers
    if (leader === undefined || other === undefined) throw new Error('no server')
    const named = (name: string) => (name === 'the leader' ? leader : other)
    const owner = await leader.signUp()
    const { id: device } = await registerTestDevice(owner)
    const { token } = await createTestToken(owner, device, undefined, 'relay')
    const target = { kind: 'ping', host: '192.168.1.2', periodS: 86_400, timeoutS: 2 }
    const { id } = await makeTestCheck(owner, { target, device })
    const agent = await lend(named(agentOf).url, token)
    const { cookies } = owner
    const url = runCheck.path.replace(':id', id)
    const run = async () =>
      (await named(asked).app.inject({ method: 'POST', url, cookies: { ...cookies } })).json()
    await vi.waitFor(async () => expect(await run()).toMatchObject({ isUp: true }), soon)
    const isOwn = true
    expect(agent.assignments[0]).toMatchObject({ target: { kind: 'ping' }, ports: [], isOwn })
    const read = async () =>
      v.parse(OwnCheck, (await owner.inject({ url: getOwnCheck.path.replace(':id', id) })).json())
    await vi.waitFor(async () => expect((await read()).status).toBe('up'), soon)
  },
)
