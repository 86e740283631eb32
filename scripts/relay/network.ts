/** The way from an agent to its server, which can fail. */
import { connect, createServer, type Socket } from 'node:net'
import { listen } from '../../apps/server/src/test/listen.ts'

interface Line {
  readonly near: Socket
  readonly far: Socket
}

export class Network {
  readonly #lines = new Set<Line>()
  readonly #server = createServer({ pauseOnConnect: true })
  #isCut = false

  private constructor(targetPort: number) {
    this.#server.on('connection', (near) => {
      if (this.#isCut) near.destroy()
      else this.#join(near, connect(targetPort, '127.0.0.1'))
    })
  }

  static async to(targetPort: number): Promise<{ network: Network; url: string }> {
    const network = new Network(targetPort)
    return { network, url: await listen(network.#server) }
  }

  /** Ends what there is, and refuses what comes. */
  cut(): void {
    this.#isCut = true
    for (const { near, far } of this.#lines) for (const end of [near, far]) end.resetAndDestroy()
  }

  restore(): void {
    this.#isCut = false
  }

  /** Carries nothing more on the connections that there are, and tells nobody; new ones are none of them. */
  fallSilent(): void {
    for (const { near, far } of this.#lines) {
      near.unpipe().pause()
      far.unpipe().pause()
    }
  }

  close(): void {
    this.cut()
    this.#server.close()
  }

  #join(near: Socket, far: Socket): void {
    const line = { near, far }
    this.#lines.add(line)
    near.pipe(far)
    far.pipe(near)
    for (const [end, other] of [
      [near, far],
      [far, near],
    ] as const) {
      // What one end does to the other is the point of it.
      end.on('error', () => undefined)
      end.on('close', () => {
        other.destroy()
        this.#lines.delete(line)
      })
    }
  }
}
