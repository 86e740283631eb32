import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { listen } from '../../apps/server/src/test/listen.ts'

export interface ReceivedCall {
  /** By `performance.now()`. */
  readonly atMs: number
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** The delay in the Retry-After header of receivers below `/later`. */
export const laterS = 3600

/**
 * A receiver of webhooks. Below `/hooks` it accepts everything, below `/later` it asks to retry later, and
 * below `/hangs` it never answers.
 */
export class Receiver {
  readonly url: string
  readonly calls: ReceivedCall[] = []
  readonly #state: { slowMs: number }
  readonly #close: () => void

  private constructor(url: string, state: { slowMs: number }, close: () => void) {
    this.url = url
    this.#state = state
    this.#close = close
  }

  static async open(): Promise<Receiver> {
    const state = { slowMs: 0 }
    const taken: { calls?: ReceivedCall[] } = {}
    const server = createServer((request, response) => {
      void (async () => {
        const { url: path = '', headers } = request
        const body = await buffer(request)
        taken.calls?.push({ atMs: performance.now(), path, headers, body })
        if (path.startsWith('/hangs/')) return
        if (path.startsWith('/later/')) {
          response.writeHead(429, { 'retry-after': String(laterS) }).end()
          return
        }
        await wait(Math.random() * state.slowMs)
        response.writeHead(204).end()
      })()
    })
    const receiver = new Receiver(await listen(server), state, () => {
      server.closeAllConnections()
      server.close()
    })
    taken.calls = receiver.calls
    return receiver
  }

  /** Sets the longest time that an answer takes. */
  beSlow(ms: number): void {
    this.#state.slowMs = ms
  }

  of(path: string): readonly ReceivedCall[] {
    return this.calls.filter((call) => call.path === path)
  }

  close(): void {
    this.#close()
  }
}
