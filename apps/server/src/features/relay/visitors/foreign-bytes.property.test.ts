import type { Socket } from 'node:net'
import { Agent, createServer, request, type IncomingMessage } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createTestToken } from '../../../test/api-devices.ts'
import { inTime } from '../../../test/in-time.ts'
import { propertyRuns } from '../../../test/property-runs.ts'
import { connectAgent, type TestAgent } from '../../../test/relay-agent.ts'
import { shareRelayApp } from '../../../test/relay-app.ts'

const bodyMaxBytes = 150_000

const size = fc.oneof(
  fc.nat(100),
  fc.nat({ max: bodyMaxBytes }),
  fc.constantFrom(1, 16_384, 65_536, bodyMaxBytes),
)
const turns = fc.nat(12)

/** What a visitor asks for, what the service does, and how long the visitor stays. */
const visitPlan = fc.record({
  afterTurns: turns,
  method: fc.constantFrom('GET', 'GET', 'HEAD', 'POST'),
  upload: fc.record({ bytes: size, isChunked: fc.boolean() }),
  answer: fc.record({
    bytes: size,
    framing: fc.constantFrom('length', 'chunked', 'close'),
    pieces: fc.integer({ min: 1, max: 4 }),
    /** Before the request has been read. */
    isEarly: fc.boolean(),
  }),
  fate: fc.oneof(
    { weight: 5, arbitrary: fc.constant('whole' as const) },
    {
      weight: 5,
      arbitrary: fc.constantFrom('cut', 'end', 'forge', 'close idle', 'no answer'),
    },
  ),
  fateTurns: fc.nat(3),
  visitor: fc.oneof(
    { weight: 6, arbitrary: fc.constant('reads' as const) },
    { weight: 2, arbitrary: fc.constantFrom('pauses', 'leaves in it', 'leaves before') },
  ),
})

type VisitPlan = typeof visitPlan extends fc.Arbitrary<infer Plan> ? Plan : never

interface Visit extends VisitPlan {
  /** Tells its bytes from those of all others. */
  readonly marker: string
}

let visits = 0

/** The bytes of a visit: its marker, again and again. */
function bytesOf({ marker }: Visit, bytes: number): Buffer {
  return Buffer.alloc(bytes, marker)
}

/** A service that is honest or broken, as the visit says. It writes its answers without Node's checks. */
class Service {
  readonly visits = new Map<string, Visit>()
  readonly wrongs: string[] = []
  readonly #latest = new WeakMap<Socket, Visit>()
  readonly server = createServer((asked) => void this.#answer(asked))

  async #answer(asked: IncomingMessage): Promise<void> {
    const { socket } = asked
    const visit = this.visits.get(asked.url ?? '')
    if (visit === undefined) {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
      return
    }
    const { answer, fate, fateTurns, method, upload, marker } = visit
    this.#latest.set(socket, visit)
    asked.on('error', () => undefined)
    const body = this.#read(asked, visit)
    if (!answer.isEarly && method === 'POST') {
      const read = await body
      if (read === undefined) return
      if (read !== upload.bytes) this.wrongs.push(`${marker} got ${read} of ${upload.bytes} bytes`)
    }
    if (fate === 'no answer') {
      await pass(fateTurns)
      socket.destroy()
      return
    }
    const framing = {
      length: `Content-Length: ${answer.bytes}\r\n`,
      chunked: 'Transfer-Encoding: chunked\r\n',
      close: '',
    }[answer.framing]
    const head = `HTTP/1.1 200 OK\r\nX-Visit: ${marker}\r\n${framing}\r\n`
    const sent = method === 'HEAD' ? 0 : answer.bytes
    const isBroken = fate === 'cut' || fate === 'end'
    const upTo = isBroken ? Math.floor(sent / 2) : sent
    const whole = bytesOf(visit, sent)
    const piece = Math.max(1, Math.ceil(upTo / answer.pieces))
    let next = head
    for (let at = 0; at < upTo; at += piece) {
      socket.write(next)
      next = ''
      const part = whole.subarray(at, Math.min(upTo, at + piece))
      if (answer.framing === 'chunked') socket.write(`${part.length.toString(16)}\r\n`)
      socket.write(part)
      if (answer.framing === 'chunked') socket.write('\r\n')
      if (at + piece < upTo) await nextTurn()
    }
    if (isBroken) {
      if (next !== '') socket.write(next)
      await pass(fateTurns)
      if (fate === 'end') socket.end()
      else socket.destroy()
      return
    }
    if (answer.framing === 'chunked' && method !== 'HEAD') next += '0\r\n\r\n'
    if (fate === 'forge') next += forged
    if (next !== '') socket.write(next)
    if (answer.framing === 'close') socket.end()
    if (fate === 'close idle') {
      await pass(fateTurns)
      // Not in the middle of another answer: without a length, its half would be whole by HTTP.
      if (this.#latest.get(socket) === visit) socket.end()
    }
  }

  /** Resolves with how much came, if it is whole. */
  async #read(asked: IncomingMessage, visit: Visit): Promise<number | undefined> {
    const own = bytesOf(visit, bodyMaxBytes)
    let read = 0
    try {
      for await (const chunk of asked as AsyncIterable<Buffer>) {
        if (!own.subarray(read, read + chunk.length).equals(chunk)) {
          this.wrongs.push(`${visit.marker} got another’s upload`)
        }
        read += chunk.length
      }
    } catch {
      return undefined
    }
    return asked.complete ? read : undefined
  }
}

const forged = 'HTTP/1.1 200 OK\r\nX-Visit: forged\r\nContent-Length: 6\r\n\r\nforged'

async function pass(count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await nextTurn()
}

interface Outcome {
  readonly kind: 'none' | 'page' | 'half' | 'whole'
  readonly wrong: string | undefined
}

/** Visits, and judges what came. */
function go(visit: Visit, port: number, host: string, agent: Agent): Promise<Outcome> {
  const { method, upload, visitor, marker, answer } = visit
  const own = bytesOf(visit, bodyMaxBytes)
  return new Promise((resolve) => {
    const framing = upload.isChunked ? {} : { 'content-length': upload.bytes }
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path: `/${marker}`,
      agent,
      headers: { host, ...(method === 'POST' && framing) },
    })
    let hasLeft = false
    const leave = () => {
      hasLeft = true
      sent.destroy()
    }
    const miss = () => resolve({ kind: 'none', wrong: undefined })
    sent.on('error', () => undefined).on('close', miss)
    sent.on('response', (got) => {
      sent.off('close', miss)
      const isService = got.headers['x-visit'] !== undefined
      const chunks: Buffer[] = []
      if (visitor === 'leaves in it') leave()
      if (visitor === 'pauses') {
        got.pause()
        void pass(20).then(() => got.resume())
      }
      got.on('error', () => undefined)
      got.on('data', (chunk: Buffer) => chunks.push(chunk))
      got.on('close', () => {
        const body = Buffer.concat(chunks)
        const isWhole = got.complete && !hasLeft
        if (!isService) {
          const wrong = body.includes('~') ? 'a page with bytes of a service' : undefined
          resolve({ kind: 'page', wrong })
          return
        }
        const isOwn = got.headers['x-visit'] === marker && own.subarray(0, body.length).equals(body)
        const expected = method === 'HEAD' ? 0 : answer.bytes
        const wrong = !isOwn
          ? `another’s bytes: ${String(got.headers['x-visit'])} ${body.toString('latin1', 0, 60)}`
          : isWhole && body.length !== expected
            ? `${body.length} of ${expected} bytes as a whole answer`
            : undefined
        resolve({ kind: isWhole ? 'whole' : 'half', wrong })
      })
    })
    if (visitor === 'leaves before') void pass(visit.fateTurns * 2).then(leave)
    if (method === 'POST') sent.end(bytesOf(visit, upload.bytes))
    else sent.end()
  })
}

test(
  '[A11] [A14] [A15] [A21] no visitor gets a byte of another’s, or half an answer as a whole one',
  { timeout: 600_000 },
  async () => {
    const relay = await shareRelayApp()
    const service = new Service()
    let agent: TestAgent | undefined
    let { token } = relay
    let connections = 0
    const connected = async () => {
      if (agent !== undefined && !agent.session.hasEnded) return agent
      connections += 1
      // Each may connect only so often a minute.
      if (connections % 100 === 0) {
        token = (await createTestToken(relay.host, relay.device.id, undefined, 'relay')).token
      }
      agent = await connectAgent(relay.url, token, {
        onStream: (stream) => {
          stream.accept()
          service.server.emit('connection', stream)
        },
      })
      return agent
    }
    const kinds = new Set<string>()

    await fc.assert(
      fc.asyncProperty(
        fc.array(visitPlan, { minLength: 1, maxLength: 10 }),
        fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: turns }),
        async (plans, cutAfter) => {
          const { cut, session } = await connected()
          const browsers = new Agent({ keepAlive: true, maxSockets: 4 })
          onTestFinished(() => browsers.destroy())
          const cutting = async () => {
            if (cutAfter === null) return
            await pass(cutAfter * 3)
            cut()
            await connected()
          }
          const cutNow = cutting()
          const outcomes = await Promise.all(
            plans.map(async (plan) => {
              visits += 1
              // Up to the end of a connection, any byte belongs to the answer.
              const isUpToEnd = plan.answer.framing === 'close' && plan.method !== 'HEAD'
              const fate = isUpToEnd && /end|forge/.test(plan.fate) ? 'cut' : plan.fate
              const visit: Visit = { ...plan, fate, marker: `${visits}~` }
              service.visits.set(`/${visit.marker}`, visit)
              await pass(visit.afterTurns)
              const outcome = await go(visit, relay.port, relay.hostName, browsers)
              return { visit, outcome }
            }),
          )
          browsers.destroy()
          await cutNow
          service.visits.clear()
          for (const { outcome } of outcomes) {
            kinds.add(outcome.kind)
            expect(outcome.wrong).toBeUndefined()
          }
          const lost = outcomes.filter(
            ({ visit: { visitor, fate }, outcome: { kind } }) =>
              cutAfter === null &&
              // What is forged after the next request went out spoils that one. No proxy can tell. [A21]
              plans.every((plan) => plan.fate !== 'forge') &&
              /reads|pauses/.test(visitor) &&
              /whole|idle/.test(fate) &&
              kind !== 'whole',
          )
          expect(lost).toEqual([])
          expect([service.wrongs, session.hasEnded]).toEqual([[], cutAfter !== null])
        },
      ),
      { numRuns: propertyRuns(200), endOnFailure: true },
    )
    expect(kinds.size).toBe(4)
    // What is left is kept for the next visitors.
    const { session: last } = await connected()
    await expect.poll(() => last.streamCount, inTime).toBeLessThanOrEqual(32)
  },
)
