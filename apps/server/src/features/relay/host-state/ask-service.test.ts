import { once } from 'node:events'
import { connect, createServer, type ServerHttp2Stream } from 'node:http2'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../../test/listen.ts'
import { serviceFailure } from '../visitors/visitor-states.ts'
import { askService } from './ask-service.ts'

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

test('a service is asked for the headers of its first page, by the name that visitors use', async () => {
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

test('one that does not answer in time is too slow, and its request is called back', async () => {
  const closed = Promise.withResolvers<void>()
  const { reachable } = await agentThat((stream) => stream.on('close', closed.resolve))
  expect(await askService(reachable, address, 20)).toBe('timeout')
  await closed.promise
})

test('one that breaks off is broken; with its agent gone it said nothing', async () => {
  const breaking = await agentThat((stream) => stream.close(2))
  expect(await askService(breaking.reachable, address)).toBe('broken')
  const { reachable, session } = await agentThat(() => session.destroy())
  expect(await askService(reachable, address)).toBeUndefined()
  expect(await askService(reachable, address)).toBeUndefined()
})

test('a service is to blame for nothing that is the agent’s, the visitor’s or the relay’s', () => {
  const others = ['closed', 'agent-gone', 'busy', 'unreadable', 'unsent'] as const
  const states = [...others, 'refused', 'timeout', 'broken'] as const
  expect(states.filter((state) => serviceFailure(state) !== undefined)).toEqual([
    'refused',
    'timeout',
    'broken',
  ])
})
