import { once } from 'node:events'
import { createServer } from 'node:http2'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { serveSessionOver, sessionOver, socketPair } from './session-over.ts'

test('a client’s session that ends as it begins does not throw, whatever bytes have arrived', async () => {
  const [wire, other] = await socketPair()
  other.write('what came with the answer')
  await once(wire, 'readable')
  const session = sessionOver(wire, {})
  session.on('error', () => undefined).destroy()
  await nextTurn()
  expect(session.destroyed).toBe(true)
  other.destroy()
})

test('a server’s session that ends as it begins does not throw either', async () => {
  const [wire, other] = await socketPair()
  other.write('what came with the answer')
  await once(wire, 'readable')
  const ended: boolean[] = []
  const server = createServer().on('session', (session) => {
    session.on('error', () => undefined).destroy()
    ended.push(session.destroyed)
  })
  serveSessionOver(wire, server)
  await nextTurn()
  expect(ended).toEqual([true])
  other.destroy()
})
