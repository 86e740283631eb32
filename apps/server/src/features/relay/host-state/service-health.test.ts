import { once } from 'node:events'
import { connect, createServer, type ServerHttp2Stream } from 'node:http2'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../test/listen.ts'
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

/** An agent that handles each request with `onStream`. */
async function agentThat(onStream: (stream: ServerHttp2Stream) => void) {
  const asked: unknown[] = []
  const agent = createServer()
  agent.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => undefined)
    asked.push({ ...headers })
    onStream(stream)
  })
  const session = connect(await listen(agent))
  session.on('error', () => undefined)
  await once(session, 'connect')
  onTestFinished(() => {
    session.destroy()
    agent.close()
  })
  return {
    asked,
    session,
    reachable: {
      get isOpen() {
        return !session.destroyed
      },
      request: session.request.bind(session),
    },
  }
}

test('a service is asked for the headers of its first page under the name that visitors use', async () => {
  const { reachable, asked } = await agentThat((stream) => stream.respond({ ':status': 404 }))
  expect(await askService(reachable, address)).toBe('answered')
  expect(asked).toEqual([
    expect.objectContaining({
      ':method': 'HEAD',
      ':scheme': 'https',
      ':authority': 'harbor.isles.example',
      ':path': '/',
    }),
  ])
})

test('a service that does not answer in time counts as too slow, and the request is cancelled', async () => {
  const closed = Promise.withResolvers<void>()
  const { reachable } = await agentThat((stream) => stream.on('close', closed.resolve))
  expect(await askService(reachable, address, 20)).toBe('timeout')
  await closed.promise
})

test('a service that breaks off is broken; if its agent is gone, there is no answer', async () => {
  const breaking = await agentThat((stream) => stream.close(2))
  expect(await askService(breaking.reachable, address)).toBe('broken')
  const { reachable, session } = await agentThat(() => session.destroy())
  expect(await askService(reachable, address)).toBeUndefined()
  expect(await askService(reachable, address)).toBeUndefined()
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
