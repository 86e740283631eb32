import type { InstanceNotices } from '../../../cluster/instance-notices.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { HopConnection, HopRefused } from './hop-connection.ts'
import type { Instance } from './instances-store.ts'

const redialMs = 500
const redialMaxMs = 5000
const farewellMs = 4000

interface HopsOptions {
  readonly from: number
  readonly clock: () => number
  readonly notices: Pick<InstanceNotices, 'connect'>
  readonly onChange: () => void
  /** Called once until the server has been reached again. */
  readonly onUnreachable: (instance: Instance, error: unknown) => void
}

interface Hop {
  readonly instance: Instance
  readonly ending: AbortController
  connection: HopConnection | undefined
}

/** Keeps a connection to each other live server, and dials again whenever one ends. */
export class Hops {
  readonly #options: HopsOptions
  readonly #hops = new Map<number, Hop>()

  constructor(options: HopsOptions) {
    this.#options = options
  }

  to(writer: number): HopConnection | undefined {
    const connection = this.#hops.get(writer)?.connection
    return connection?.isOpen === true ? connection : undefined
  }

  get count(): number {
    return [...this.#hops.keys()].filter((writer) => this.to(writer) !== undefined).length
  }

  set(instances: readonly Instance[]): void {
    const wanted = new Map(instances.map((instance) => [instance.writer, instance]))
    for (const [writer, hop] of this.#hops) {
      if (wanted.get(writer)?.url === hop.instance.url) continue
      this.#hops.delete(writer)
      hop.ending.abort()
      // A process that is only cut off from the database may finish its open streams.
      void hop.connection?.drain()
      this.#options.onChange()
    }
    for (const instance of instances) {
      if (instance.url === null || this.#hops.has(instance.writer)) continue
      const hop = { instance, ending: new AbortController(), connection: undefined }
      this.#hops.set(instance.writer, hop)
      void this.#keep(hop, instance.url)
    }
  }

  async stop(): Promise<void> {
    const connections = [...this.#hops.values()].flatMap(({ connection }) => connection ?? [])
    this.set([])
    const cut = setTimeout(() => connections.forEach((one) => one.end()), farewellMs)
    await Promise.all(connections.map(async (connection) => await connection.drain()))
    clearTimeout(cut)
  }

  async #keep(hop: Hop, url: string): Promise<void> {
    const { from, clock, notices, onChange, onUnreachable } = this.#options
    const { signal } = hop.ending
    const to = { ...hop.instance, url }
    for (let failures = 0; !signal.aborted;) {
      try {
        const connection = await HopConnection.dial({ to, from, clock, signal })
        if (signal.aborted) {
          connection.end()
          return
        }
        hop.connection = connection
        failures = 0
        const disconnect = notices.connect(connection.openNotices(from).write)
        onChange()
        await connection.closed
        disconnect()
        onChange()
      } catch (error) {
        if (signal.aborted) return
        failures += 1
        // One failure may only mean that the server is stopping or has just started.
        if (failures === 3 || (error instanceof HopRefused && failures === 1)) {
          onUnreachable(hop.instance, error)
        }
      }
      await wait(Math.min(redialMaxMs, redialMs * 2 ** Math.min(failures, 4)), undefined, {
        ref: false,
        signal,
      }).catch(() => undefined)
    }
  }
}
