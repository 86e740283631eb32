import type { OwnMessage } from '@astropelago/contract/streams'
import { presentReport } from '../../present-report.ts'
import type { KeyedQueue } from '../../keyed-queue.ts'
import type { DevicesFeature } from '../devices/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { PresenceFeature } from '../presence/public.ts'
import { IslandOwners } from './island-owners.ts'
import { islandChecks, type IslandEvent } from './island-streams.ts'
import { gatherMs, type MessageStream } from './message-stream.ts'
import type { RecentKeys } from './recent-keys.ts'

type OwnStream = MessageStream<OwnMessage>

/** Events after which an island may belong to others, or be visible to others. */
type ChangedIsland = Extract<IslandEvent, { readonly userKeys: unknown }>

interface OwnStreamsOptions {
  readonly islands: Pick<IslandsFeature, 'listen' | 'readRights' | 'listOwn' | 'hostOf'>
  readonly devices: Pick<DevicesFeature, 'listen' | 'listOwn' | 'readOwners'>
  readonly presence: Pick<PresenceFeature['presence'], 'listen'>
  readonly reports: Pick<PresenceFeature['reports'], 'listen'>
  readonly onFailure: (error: unknown) => void
}

/** What belongs to whom is read when a user begins to listen, and again when that may have changed. */
export class OwnStreams {
  readonly #options: OwnStreamsOptions
  readonly #listeners = new Map<
    number,
    { readonly isOperator: boolean; readonly streams: Set<OwnStream> }
  >()
  readonly #owners = new IslandOwners()
  /** For each user who begins to listen, changes of islands meanwhile: they may be newer than what is read. */
  readonly #joining = new Set<ChangedIsland[]>()
  readonly #ids = new Map<number, string>()
  readonly #devices = new Map<number, { readonly id: string; readonly userKey: number }>()
  readonly #changedDevices = new Set<number>()
  readonly #checks: KeyedQueue<number>

  constructor(options: OwnStreamsOptions) {
    const { islands, devices, presence, reports, onFailure } = options
    this.#options = options
    this.#checks = islandChecks(
      (islandKey) => this.#checkNow(islandKey),
      (islandKey, error) => {
        // What these users may see is unknown now, so they load everything again.
        for (const userKey of this.#owners.all(islandKey)) {
          for (const stream of this.#streamsOf(userKey)) stream.reload()
        }
        onFailure(error)
      },
    )
    islands.listen((event) => this.#follow(event))
    devices.listen((deviceKey) => this.#followDevice(deviceKey))
    presence.listen((deviceKeys, status) => {
      if (this.#devices.size === 0) return
      for (const key of deviceKeys) {
        const device = this.#devices.get(key)
        if (device === undefined) continue
        this.#send(device.userKey, { type: 'device', payload: { id: device.id, status } })
      }
    })
    reports.listen((stored) => {
      for (const report of stored) {
        const device = this.#devices.get(report.deviceKey)
        if (device === undefined) continue
        const payload = { id: device.id, report: presentReport(report) }
        this.#send(device.userKey, { type: 'device-report', payload })
      }
    })
  }

  *streams(): Iterable<OwnStream> {
    for (const { streams } of this.#listeners.values()) yield* streams
  }

  /** @returns what to call when the connection has closed */
  async join(
    { userKey, isOperator }: { readonly userKey: number; readonly isOperator: boolean },
    stream: OwnStream,
  ): Promise<() => void> {
    const { islands, devices } = this.#options
    const listener = this.#listeners.get(userKey) ?? { isOperator, streams: new Set<OwnStream>() }
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

  /** Whether any of these belong to a user who listens. */
  hasAny(
    userKey: number,
    { devices, islands }: { readonly devices: RecentKeys; readonly islands: RecentKeys },
  ): boolean {
    return (
      devices.some((key) => this.#devices.get(key)?.userKey === userKey) ||
      islands.some((key) => this.#owners.has(key, userKey))
    )
  }

  sendReports(): void {
    for (const [userKey, { isOperator }] of this.#listeners) {
      if (isOperator) this.#send(userKey, { type: 'reports' })
    }
  }

  #follow(event: IslandEvent): void {
    if (this.#listeners.size === 0) return
    const { islandKey, id } = event
    switch (event.kind) {
      case 'open': {
        const { isOpen, since } = event
        const payload = { id, isOpen, since }
        return this.#sendToOwners(islandKey, { type: 'island-open', payload })
      }
      case 'log':
        return this.#sendToOwners(islandKey, { type: 'island-log', payload: { id } })
      case 'requests': {
        const hostKey = this.#options.islands.hostOf(islandKey)
        if (hostKey !== null) this.#send(hostKey, { type: 'island-requests', payload: { id } })
        return undefined
      }
      case 'gone':
        for (const changed of this.#joining) changed.push(event)
        for (const userKey of this.#owners.all(islandKey)) {
          this.#sendRight(userKey, id, this.#owners.mayKnow(islandKey, userKey), false)
        }
        return this.#owners.deleteIsland(islandKey)
      case 'changed':
      case 'members':
        for (const changed of this.#joining) changed.push(event)
        void this.#checkAndSend(event)
    }
  }

  async #checkAndSend(event: ChangedIsland): Promise<void> {
    const { kind, islandKey, id } = event
    await this.#check(event)
    const type = kind === 'members' ? 'island-members' : 'island-changed'
    this.#sendToOwners(islandKey, { type, payload: { id } })
  }

  async #check({ islandKey, id, userKeys }: ChangedIsland): Promise<void> {
    for (const userKey of userKeys) {
      if (!this.#listeners.has(userKey) || this.#owners.has(islandKey, userKey)) continue
      // The check finds out whether they own it.
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
      // Skip users who have left meanwhile, or who have lost the island.
      if (!owners.has(islandKey, userKey)) continue
      const { isOwn, mayKnow } = rightsOf(userKey)
      const wasTheirs = owners.mayKnow(islandKey, userKey)
      if (isOwn) owners.set(islandKey, userKey, mayKnow)
      else owners.delete(islandKey, userKey)
      this.#sendRight(userKey, id, wasTheirs, isOwn && mayKnow)
    }
  }

  /** Reads owners, since a device may be new. Changes are gathered, for imports of many devices. */
  #followDevice(deviceKey: number): void {
    if (this.#listeners.size === 0) return
    this.#changedDevices.add(deviceKey)
    if (this.#changedDevices.size > 1) return
    setTimeout(() => {
      const keys = [...this.#changedDevices]
      this.#changedDevices.clear()
      this.#readDevices(keys).catch((error: unknown) => {
        for (const stream of this.streams()) stream.reload()
        this.#options.onFailure(error)
      })
    }, gatherMs).unref()
  }

  async #readDevices(deviceKeys: readonly number[]): Promise<void> {
    const owners = await this.#options.devices.readOwners(deviceKeys)
    const concerned = new Set<number>()
    for (const key of deviceKeys) {
      const device = this.#devices.get(key)
      if (device === undefined) continue
      concerned.add(device.userKey)
      this.#devices.delete(key)
    }
    for (const { key, id, userKey } of owners) {
      if (!this.#listeners.has(userKey)) continue
      concerned.add(userKey)
      this.#devices.set(key, { id, userKey })
    }
    for (const userKey of concerned) this.#send(userKey, { type: 'devices' })
  }

  #sendToOwners(islandKey: number, message: OwnMessage): void {
    for (const userKey of this.#owners.knowing(islandKey)) this.#send(userKey, message)
  }

  /** @param wasTheirs undefined for an island that may have been theirs for a moment */
  #sendRight(userKey: number, id: string, wasTheirs: boolean | undefined, isTheirs: boolean): void {
    if (wasTheirs === isTheirs) return
    if (wasTheirs === true) this.#send(userKey, { type: 'island-gone', payload: { id } })
    this.#send(userKey, { type: 'islands' })
  }

  #send(userKey: number, message: OwnMessage): void {
    for (const stream of this.#streamsOf(userKey)) stream.send(message)
  }

  #streamsOf(userKey: number): Iterable<OwnStream> {
    return this.#listeners.get(userKey)?.streams ?? []
  }
}
