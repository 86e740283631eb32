/** The connection from an agent to its server, which can be made to fail. */
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

  /** Resets all connections, and refuses new ones. */
  cut(): void {
    this.#isCut = true
    for (const { near, far } of this.#lines) for (const end of [near, far]) end.resetAndDestroy()
  }

  restore(): void {
    this.#isCut = false
  }

  /** Stops carrying data on the existing connections without closing them. New connections work. */
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
      // Errors are expected here.
      end.on('error', () => undefined)
      end.on('close', () => {
        other.destroy()
        this.#lines.delete(line)
      })
    }
  }
}
