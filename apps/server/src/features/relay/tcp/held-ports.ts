import type { HeldPort, PortRange, PortsStore } from './ports-store.ts'

interface HeldPortsOptions {
  readonly store: Pick<PortsStore, 'list' | 'find'>
  /** What is beyond it is given out no more, and as good as not there. */
  readonly range: PortRange
  /** Called when some are others now. */
  readonly onChange: () => void
}

/** Which island has which port, as memory has it. */
export class HeldPorts {
  readonly #options: HeldPortsOptions
  readonly #byIsland = new Map<number, number>()
  readonly #byPort = new Map<number, number>()
  /** Islands whose port is to be read. */
  readonly #due = new Set<number>()
  #reading: Promise<void> | undefined

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

  /** Reads that of an island anew. @throws StorageUnavailable; it is read then when this is called next */
  async readAgain(...islandKeys: readonly number[]): Promise<void> {
    for (const islandKey of islandKeys) this.#due.add(islandKey)
    while (this.#due.size > 0) {
      // One after the other, so that what was read last is what is there.
      this.#reading ??= this.#readDue().finally(() => (this.#reading = undefined))
      await this.#reading
    }
  }

  /** An island that has none any more, at once. */
  forget(islandKey: number): void {
    const port = this.#byIsland.get(islandKey)
    if (port === undefined) return
    this.#byIsland.delete(islandKey)
    // Another island may have got it meanwhile.
    if (this.#byPort.get(port) === islandKey) this.#byPort.delete(port)
    this.#options.onChange()
  }

  async #readDue(): Promise<void> {
    for (const islandKey of this.#due) {
      this.#due.delete(islandKey)
      try {
        const port = await this.#options.store.find(islandKey)
        if (port === this.#byIsland.get(islandKey)) continue
        this.forget(islandKey)
        if (port !== undefined) this.#set({ islandKey, port })
      } catch (error) {
        this.#due.add(islandKey)
        throw error
      }
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
