import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { socketPair } from '../../../test/socket-pair.ts'
import type { Service } from '../agents/agent-session.ts'
import { FrameSession } from '../frames/frame-session.ts'
import type { FrameStream } from '../frames/frame-stream.ts'
import { serviceFailure } from '../visitors/visitor-states.ts'
import { askService, createServiceHealth } from './service-health.ts'

const noonMs = Date.parse('2026-03-01T12:00:00Z')
const minuteMs = 60_000

function setUpHealth() {
  let nowMs = noonMs
  const health = createServiceHealth(() => nowMs)
  return {
    health,
    at: (ms: number) => {
      nowMs = noonMs + ms
    },
  }
}

test('a failure lasts from its first request until an answer or another failure', () => {
  const { health, at } = setUpHealth()
  expect(health.failing(1)).toBeNull()
  health.recordFailure(1, 'refused')
  at(minuteMs)
  health.recordFailure(1, 'refused')
  expect(health.failing(1)).toEqual({ why: 'refused', sinceMs: noonMs })
  expect(health.checkedMs(1)).toBe(noonMs + minuteMs)
  health.recordFailure(1, 'timeout')
  expect(health.failing(1)).toEqual({ why: 'timeout', sinceMs: noonMs + minuteMs })
  expect(health.failing(2)).toBeNull()
  health.recordAnswer(1)
  expect(health.failing(1)).toBeNull()
})

test('visits are counted since the server started, then per day', () => {
  const { health, at } = setUpHealth()
  health.countVisit(1)
  at(11 * 60 * minuteMs)
  health.countVisit(1)
  expect(health.visits(1)).toEqual({ count: 2, sinceMs: noonMs })
  expect(health.visits(2)).toEqual({ count: 0, sinceMs: noonMs })
  at(12 * 60 * minuteMs)
  const midnightMs = noonMs + 12 * 60 * minuteMs
  expect(health.visits(1)).toEqual({ count: 0, sinceMs: midnightMs })
  health.countVisit(1)
  expect(health.visits(1)).toEqual({ count: 1, sinceMs: midnightMs })
})

const address = 'https://harbor.isles.example/'

/** An agent that does this with each stream. */
async function agentThat(
  onOpen: (stream: FrameStream) => void,
  service: Service = { origin: null, host: null },
) {
  const [wire, agentWire] = await socketPair()
  const session = new FrameSession(wire, { onEnd: () => undefined })
  const agent = new FrameSession(agentWire, { onOpen, onEnd: () => undefined })
  onTestFinished(() => agent.end())
  return {
    session,
    reachable: {
      get isOpen() {
        return !session.hasEnded
      },
      open: (kind: string) => session.open(kind),
      withService: (_stream: FrameStream, take: (service: Service) => void) => take(service),
    },
  }
}

/** An HTTP server that is reached through an agent. */
function serviceThat(answers: RequestListener) {
  const server = createServer(answers)
  return (stream: FrameStream) => {
    stream.accept()
    server.emit('connection', stream)
  }
}

test.each([
  [null, 'harbor.isles.example'],
  ['home.example:8080', 'home.example:8080'],
])(
  'a service that wants the Host %s is asked for the headers of its first page with %s',
  async (host, asked) => {
    const requests: IncomingMessage[] = []
    const { reachable } = await agentThat(
      serviceThat((request, response) => {
        requests.push(request)
        response.writeHead(404).end()
      }),
      { origin: null, host },
    )
    expect(await askService(reachable, address)).toBe('answered')
    expect(requests).toMatchObject([{ method: 'HEAD', url: '/', headers: { host: asked } }])
  },
)

test('a service that does not answer in time counts as too slow, and the request is cancelled', async () => {
  const closed = Promise.withResolvers<void>()
  const { reachable } = await agentThat(
    serviceThat((request) => void request.socket.once('close', closed.resolve)),
  )
  // Enough for the request to arrive.
  expect(await askService(reachable, address, 200)).toBe('timeout')
  await closed.promise
})

test('a service that breaks off is broken; if its agent is gone, there is no answer', async () => {
  const breaking = await agentThat((stream) => stream.reset(''))
  expect(await askService(breaking.reachable, address)).toBe('broken')
  const talking = await agentThat((stream) => {
    stream.accept()
    stream.end('220 this is no HTTP\r\n')
  })
  expect(await askService(talking.reachable, address)).toBe('broken')
  const { reachable, session } = await agentThat(() => session.end())
  expect(await askService(reachable, address)).toBeUndefined()
  expect(await askService(reachable, address)).toBeUndefined()
})

test.each([
  ['refused', 'refused'],
  ['timeout', 'timeout'],
  ['reset', 'broken'],
] as const)('[A16] an agent’s report %s is the answer %s', async (word, answer) => {
  const { reachable } = await agentThat((stream) => stream.reset(word))
  expect(await askService(reachable, address)).toBe(answer)
})

test('a service is not blamed for failures of the agent, the visitor or the relay', () => {
  const others = ['closed', 'agent-gone', 'busy', 'unreadable', 'unsent'] as const
  const states = [...others, 'refused', 'timeout', 'broken'] as const
  expect(states.filter((state) => serviceFailure(state) !== undefined)).toEqual([
    'refused',
    'timeout',
    'broken',
  ])
})
