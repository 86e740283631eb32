import type { OwnMessage } from '@astropelago/contract/streams'
import { inTurns } from './in-turns.ts'
import { gatherMs, type MessageStream } from './message-stream.ts'
import type { IslandEvent, StreamDevices, StreamIslands } from './stream-sources.ts'

type OwnStream = MessageStream<OwnMessage>

/** A user who listens. */
interface Listener {
  readonly userKey: number
  readonly isOperator: boolean
  readonly streams: Set<OwnStream>
  /** That the user hosts or has joined. */
  readonly islandKeys: Set<number>
}

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
 * Who listens to what is their own: islands that they host or have joined, and devices. What is whose is
 * read when somebody begins to listen, and again when it may be another's.
 */
export class OwnStreams {
  readonly #options: OwnStreamsOptions
  readonly #listeners = new Map<number, Listener>()
  /** Of those who listen, by key. */
  readonly #devices = new Map<number, OwnDevice>()
  readonly #changedDevices = new Set<number>()
  readonly #check: (islandKey: number) => Promise<void>

  constructor(options: OwnStreamsOptions) {
    const { islands, devices, noteFailure } = options
    this.#options = options
    this.#check = inTurns(
      (islandKey) => this.#checkNow(islandKey),
      (_, error) => {
        for (const stream of this.streams()) stream.reload()
        noteFailure(error)
      },
    )
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
  }

  *streams(): Iterable<OwnStream> {
    for (const { streams } of this.#listeners.values()) yield* streams
  }

  /** @returns what is to be called when the connection is gone */
  async join(
    { userKey, isOperator }: { readonly userKey: number; readonly isOperator: boolean },
    stream: OwnStream,
  ): Promise<() => void> {
    const { islands, devices } = this.#options
    const known = this.#listeners.get(userKey)
    const listener: Listener = known ?? {
      userKey,
      isOperator,
      streams: new Set(),
      islandKeys: new Set(),
    }
    // Before it is read: what changes meanwhile is told.
    this.#listeners.set(userKey, listener)
    listener.streams.add(stream)
    const leave = () => {
      listener.streams.delete(stream)
      if (listener.streams.size > 0 || this.#listeners.get(userKey) !== listener) return
      this.#listeners.delete(userKey)
      for (const [key, device] of this.#devices) {
        if (device.userKey === userKey) this.#devices.delete(key)
      }
    }
    try {
      for (const islandKey of await islands.listOwn(userKey)) listener.islandKeys.add(islandKey)
      for (const { key, id } of await devices.listOwn(userKey)) {
        this.#devices.set(key, { id, userKey })
      }
      return leave
    } catch (error) {
      leave()
      throw error
    }
  }

  /** To be called when something was reported, or settled. */
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
        for (const { userKey, islandKeys } of this.#listeners.values()) {
          if (islandKeys.delete(islandKey)) this.#tellGone(userKey, id)
        }
        return undefined
      case 'changed':
      case 'members':
        return void this.#checkAndTell(event)
    }
  }

  async #checkAndTell({ kind, islandKey, id }: IslandEvent): Promise<void> {
    const before = this.#ownersOf(islandKey)
    await this.#check(islandKey)
    const owners = this.#ownersOf(islandKey)
    const type = kind === 'members' ? 'island-members' : 'island-changed'
    this.#tellOwners(islandKey, { type, payload: { id } })
    for (const userKey of before) if (!owners.has(userKey)) this.#tellGone(userKey, id)
    for (const userKey of owners) if (!before.has(userKey)) this.#tell(userKey, { type: 'islands' })
  }

  async #checkNow(islandKey: number): Promise<void> {
    const rightsOf = await this.#options.islands.readRights(islandKey, [...this.#listeners.keys()])
    for (const { userKey, islandKeys } of this.#listeners.values()) {
      if (rightsOf(userKey).isOwn) islandKeys.add(islandKey)
      else islandKeys.delete(islandKey)
    }
  }

  /** Whose device a new one is has to be asked; changes are gathered, as when a file of them is imported. */
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

  #ownersOf(islandKey: number): Set<number> {
    const owners = new Set<number>()
    for (const { userKey, islandKeys } of this.#listeners.values()) {
      if (islandKeys.has(islandKey)) owners.add(userKey)
    }
    return owners
  }

  #tellOwners(islandKey: number, message: OwnMessage): void {
    for (const { userKey, islandKeys } of this.#listeners.values()) {
      if (islandKeys.has(islandKey)) this.#tell(userKey, message)
    }
  }

  #tellGone(userKey: number, id: string): void {
    this.#tell(userKey, { type: 'island-gone', payload: { id } })
    this.#tell(userKey, { type: 'islands' })
  }

  #tell(userKey: number, message: OwnMessage): void {
    for (const stream of this.#listeners.get(userKey)?.streams ?? []) stream.tell(message)
  }
}
