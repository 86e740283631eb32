import { KeyedQueue } from '../../../keyed-queue.ts'
import type { HeldPort, PortRange, PortsStore } from './ports-store.ts'

interface HeldPortsOptions {
  readonly store: Pick<PortsStore, 'list' | 'find'>
  /** Ports outside it are no longer given out, and are ignored. */
  readonly range: PortRange
  readonly onChange: () => void
}

/** Which island has which port, cached. */
export class HeldPorts {
  readonly #options: HeldPortsOptions
  readonly #byIsland = new Map<number, number>()
  readonly #byPort = new Map<number, number>()
  /** Reads islands' ports one after the other, so that the last result is the current one. */
  readonly #due = new KeyedQueue<number>({
    run: (islandKeys) => this.#read(islandKeys),
    keepsFailed: true,
  })

  constructor(options: HeldPortsOptions) {
    this.#options = options
  }

  portOf(islandKey: number): number | undefined {
    return this.#byIsland.get(islandKey)
  }

  islandAt(port: number): number | undefined {
    return this.#byPort.get(port)
  }

  all(): ReadonlySet<number> {
    return new Set(this.#byPort.keys())
  }

  async load(): Promise<void> {
    for (const held of await this.#options.store.list()) this.#set(held)
  }

  /** @throws StorageUnavailable, after which `readFailed` tries once more */
  readAgain(islandKey: number): Promise<void> {
    return this.#due.add(islandKey)
  }

  /** @throws StorageUnavailable */
  readFailed(): Promise<void> {
    return this.#due.runFailed()
  }

  forget(islandKey: number): void {
    const port = this.#byIsland.get(islandKey)
    if (port === undefined) return
    this.#byIsland.delete(islandKey)
    // Another island may have taken it meanwhile.
    if (this.#byPort.get(port) === islandKey) this.#byPort.delete(port)
    this.#options.onChange()
  }

  async #read(islandKeys: ReadonlySet<number>): Promise<void> {
    for (const islandKey of islandKeys) {
      const port = await this.#options.store.find(islandKey)
      if (port === this.#byIsland.get(islandKey)) continue
      this.forget(islandKey)
      if (port !== undefined) this.#set({ islandKey, port })
    }
  }

  #set({ islandKey, port }: HeldPort): void {
    const { range, onChange } = this.#options
    if (port < range.first || port > range.last) return
    this.#byIsland.set(islandKey, port)
    this.#byPort.set(port, islandKey)
    onChange()
  }
}
