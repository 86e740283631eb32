import type { OwnMessage } from '@astropelago/contract/streams'
import { KeyedQueue } from '../../keyed-queue.ts'
import { IslandOwners } from './island-owners.ts'
import { gatherMs, type MessageStream } from './message-stream.ts'
import type { IslandEvent, StreamDevices, StreamIslands } from './stream-sources.ts'

type OwnStream = MessageStream<OwnMessage>

/** A user who listens. */
interface Listener {
  readonly userKey: number
  readonly isOperator: boolean
  readonly streams: Set<OwnStream>
}

/** Events after which an island may belong to others, or be visible to others. */
type ChangedIsland = Extract<IslandEvent, { readonly userKeys: unknown }>

interface OwnDevice {
  readonly id: string
  readonly userKey: number
}

interface OwnStreamsOptions {
  readonly islands: StreamIslands
  readonly devices: StreamDevices
  readonly noteFailure: (error: unknown) => void
}

/**
 * Sends users what concerns their own islands, those that they joined, and their devices. What belongs to
 * whom is read when somebody begins to listen, and again when that may have changed.
 */
export class OwnStreams {
  readonly #options: OwnStreamsOptions
  readonly #listeners = new Map<number, Listener>()
  readonly #owners = new IslandOwners()
  /**
   * For each user who begins to listen, changes of islands meanwhile, which may be newer than what is read.
   */
  readonly #joining = new Set<ChangedIsland[]>()
  /** By key, the ids of islands to be checked. */
  readonly #ids = new Map<number, string>()
  /** By key, devices of the users who listen. */
  readonly #devices = new Map<number, OwnDevice>()
  readonly #changedDevices = new Set<number>()
  readonly #checks: KeyedQueue<number>

  constructor(options: OwnStreamsOptions) {
    const { islands, devices, noteFailure } = options
    this.#options = options
    this.#checks = new KeyedQueue({
      run: async (islandKeys) => {
        for (const islandKey of islandKeys) {
          await this.#checkNow(islandKey).catch((error: unknown) => {
            // Nobody knows now what these users may see, so they ask for everything again.
            for (const userKey of this.#owners.all(islandKey)) this.#reload(userKey)
            noteFailure(error)
          })
        }
      },
    })
    islands.listen((event) => this.#note(event))
    devices.listen((deviceKey) => this.#noteDevice(deviceKey))
    devices.listenFlips((deviceKeys, status) => {
      if (this.#devices.size === 0) return
      for (const key of deviceKeys) {
        const device = this.#devices.get(key)
        if (device === undefined) continue
        this.#tell(device.userKey, { type: 'device', payload: { id: device.id, status } })
      }
    })
    devices.listenReports((reports) => {
      for (const { deviceKey, atMs, sinceMs, status, text } of reports) {
        const device = this.#devices.get(deviceKey)
        if (device === undefined) continue
        const [at, since] = [new Date(atMs).toISOString(), new Date(sinceMs).toISOString()]
        const payload = { id: device.id, report: { at, status, since, text } }
        this.#tell(device.userKey, { type: 'device-report', payload })
      }
    })
  }

  *streams(): Iterable<OwnStream> {
    for (const { streams } of this.#listeners.values()) yield* streams
  }

  /** @returns a function to call when the connection has closed */
  async join(
    { userKey, isOperator }: { readonly userKey: number; readonly isOperator: boolean },
    stream: OwnStream,
  ): Promise<() => void> {
    const { islands, devices } = this.#options
    const known = this.#listeners.get(userKey)
    const listener: Listener = known ?? { userKey, isOperator, streams: new Set() }
    // Listen before reading, so that changes meanwhile are sent too.
    this.#listeners.set(userKey, listener)
    listener.streams.add(stream)
    const leave = () => {
      listener.streams.delete(stream)
      if (listener.streams.size > 0 || this.#listeners.get(userKey) !== listener) return
      this.#listeners.delete(userKey)
      this.#owners.deleteUser(userKey)
      for (const [key, device] of this.#devices) {
        if (device.userKey === userKey) this.#devices.delete(key)
      }
    }
    const changed: ChangedIsland[] = []
    this.#joining.add(changed)
    try {
      for (const { islandKey, mayKnow } of await islands.listOwn(userKey)) {
        this.#owners.set(islandKey, userKey, mayKnow)
      }
      const concerning = changed.filter(
        ({ islandKey, userKeys }) =>
          userKeys.includes(userKey) || this.#owners.has(islandKey, userKey),
      )
      await Promise.all(concerning.map((event) => this.#check(event)))
      for (const { key, id } of await devices.listOwn(userKey)) {
        this.#devices.set(key, { id, userKey })
      }
      return leave
    } catch (error) {
      leave()
      throw error
    } finally {
      this.#joining.delete(changed)
    }
  }

  /** Call it when something was reported or settled. */
  noteReports(): void {
    for (const { userKey, isOperator } of this.#listeners.values()) {
      if (isOperator) this.#tell(userKey, { type: 'reports' })
    }
  }

  #note(event: IslandEvent): void {
    if (this.#listeners.size === 0) return
    const { islandKey, id } = event
    switch (event.kind) {
      case 'open': {
        const { isOpen, since } = event
        return this.#tellOwners(islandKey, {
          type: 'island-open',
          payload: { id, isOpen, since },
        })
      }
      case 'log':
        return this.#tellOwners(islandKey, { type: 'island-log', payload: { id } })
      case 'requests': {
        const hostKey = this.#options.islands.hostOf(islandKey)
        if (hostKey !== null) this.#tell(hostKey, { type: 'island-requests', payload: { id } })
        return undefined
      }
      case 'gone':
        this.#noteChanged(event)
        for (const userKey of this.#owners.all(islandKey)) {
          this.#tellRight(userKey, id, this.#owners.mayKnow(islandKey, userKey), false)
        }
        return this.#owners.deleteIsland(islandKey)
      case 'changed':
      case 'members':
        this.#noteChanged(event)
        return void this.#checkAndTell(event)
    }
  }

  #noteChanged(event: ChangedIsland): void {
    for (const changed of this.#joining) changed.push(event)
  }

  async #checkAndTell(event: ChangedIsland): Promise<void> {
    const { kind, islandKey, id } = event
    await this.#check(event)
    const type = kind === 'members' ? 'island-members' : 'island-changed'
    this.#tellOwners(islandKey, { type, payload: { id } })
  }

  /** Checks what the users concerned may know, and sends them the difference. */
  async #check({ islandKey, id, userKeys }: ChangedIsland): Promise<void> {
    for (const userKey of userKeys) {
      if (!this.#listeners.has(userKey) || this.#owners.has(islandKey, userKey)) continue
      // Whether they own it is what the check finds out.
      this.#owners.set(islandKey, userKey, undefined)
    }
    if (this.#owners.all(islandKey).length === 0) return
    this.#ids.set(islandKey, id)
    await this.#checks.add(islandKey)
  }

  async #checkNow(islandKey: number): Promise<void> {
    const owners = this.#owners
    const id = this.#ids.get(islandKey)
    this.#ids.delete(islandKey)
    const asked = owners.all(islandKey)
    if (id === undefined || asked.length === 0) return
    const rightsOf = await this.#options.islands.readRights(islandKey, asked)
    for (const userKey of asked) {
      // Skip users who have left meanwhile, or for whom the island is gone.
      if (!owners.has(islandKey, userKey)) continue
      const { isOwn, mayKnow } = rightsOf(userKey)
      const isTheirs = isOwn && mayKnow
      const wasTheirs = owners.mayKnow(islandKey, userKey)
      if (isOwn) owners.set(islandKey, userKey, mayKnow)
      else owners.delete(islandKey, userKey)
      this.#tellRight(userKey, id, wasTheirs, isTheirs)
    }
  }

  /** The owner of a new device has to be read. Changes are gathered, for imports of many devices. */
  #noteDevice(deviceKey: number): void {
    if (this.#listeners.size === 0) return
    this.#changedDevices.add(deviceKey)
    if (this.#changedDevices.size > 1) return
    setTimeout(() => {
      const keys = [...this.#changedDevices]
      this.#changedDevices.clear()
      this.#readDevices(keys).catch((error: unknown) => {
        for (const stream of this.streams()) stream.reload()
        this.#options.noteFailure(error)
      })
    }, gatherMs).unref()
  }

  async #readDevices(deviceKeys: readonly number[]): Promise<void> {
    const owners = await this.#options.devices.readOwners(deviceKeys)
    const concerned = new Set<number>()
    for (const key of deviceKeys) {
      const known = this.#devices.get(key)
      if (known === undefined) continue
      concerned.add(known.userKey)
      this.#devices.delete(key)
    }
    for (const { key, id, userKey } of owners) {
      if (!this.#listeners.has(userKey)) continue
      concerned.add(userKey)
      this.#devices.set(key, { id, userKey })
    }
    for (const userKey of concerned) this.#tell(userKey, { type: 'devices' })
  }

  #tellOwners(islandKey: number, message: OwnMessage): void {
    for (const userKey of this.#owners.knowing(islandKey)) this.#tell(userKey, message)
  }

  /** @param wasTheirs undefined for an island that may have been theirs for a moment */
  #tellRight(userKey: number, id: string, wasTheirs: boolean | undefined, isTheirs: boolean): void {
    if (wasTheirs === isTheirs) return
    if (wasTheirs === true) this.#tell(userKey, { type: 'island-gone', payload: { id } })
    this.#tell(userKey, { type: 'islands' })
  }

  #tell(userKey: number, message: OwnMessage): void {
    for (const stream of this.#listeners.get(userKey)?.streams ?? []) stream.tell(message)
  }

  #reload(userKey: number): void {
    for (const stream of this.#listeners.get(userKey)?.streams ?? []) stream.reload()
  }
}
