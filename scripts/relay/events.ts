/** A service with server-sent events at home. */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listen } from '../../apps/server/src/test/listen.ts'
import { waitUntil } from '../proxy-checks.ts'
import type { RelayedIsland, RelayStand } from './relay-stand.ts'

const events = 40
const gapMs = 50
const limitMs = 100
/** Something that holds events back does so in every round, a busy machine only now and then. */
const rounds = 3

export interface EventsService {
  readonly url: string
  readonly open: ReadonlySet<ServerResponse>
  readonly stop: () => void
}

/** Sends the time again and again at /events. Every other answer is endless. */
export async function startEvents(): Promise<EventsService> {
  const open = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    open.add(response)
    response.once('close', () => open.delete(response))
    if (request.url === '/events') {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
      const timer = setInterval(() => response.write(`data: ${performance.now()}\n\n`), gapMs)
      response.once('close', () => clearInterval(timer))
      return
    }
    const chunk = Buffer.alloc(65_536)
    const write = () => {
      while (!response.destroyed && response.write(chunk));
    }
    response.on('drain', write)
    write()
  })
  const url = await listen(server)
  return {
    url,
    open,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Each event arrives at once, even beside visitors who request a lot and read nothing. */
export async function checkEvents(
  stand: RelayStand,
  { host }: RelayedIsland,
  { open }: EventsService,
): Promise<void> {
  const idlers = await Promise.all(
    Array.from({ length: 8 }, () => stand.begin(host, { path: '/endless' })),
  )
  await waitUntil(
    async () => open.size === idlers.length && [...open].every((one) => one.writableNeedDrain),
    'all buffers on the way are full',
  )
  const slowestMs: number[] = []
  do slowestMs.push(await slowestOf(await stand.begin(host, { path: '/events' })))
  while (Math.min(...slowestMs) > limitMs && slowestMs.length < rounds)
  assert.ok(
    Math.min(...slowestMs) <= limitMs,
    `in each round an event took ${slowestMs.join(', ')} ms`,
  )
  for (const idler of idlers) idler.destroy()
  await waitUntil(async () => open.size === 0, 'the service notices that all have left')
  console.log(
    `  ${events} events, each within ${Math.ceil(Math.min(...slowestMs))} ms of its sending`,
  )
}

/** @returns the delay of the slowest event in ms */
async function slowestOf(answer: IncomingMessage): Promise<number> {
  assert.match(String(answer.headers['content-type']), /^text\/event-stream/)
  let count = 0
  let slowestMs = 0
  for await (const chunk of answer) {
    const sent = [...String(chunk).matchAll(/^data: (.+)$/gm)].map(([, time]) => Number(time))
    for (const time of sent) slowestMs = Math.max(slowestMs, performance.now() - time)
    count += sent.length
    if (count >= events) break
  }
  return slowestMs
}
