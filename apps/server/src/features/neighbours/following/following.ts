import {
  devicesOfNeighbours,
  devicesPerNeighbour,
  islandsOfNeighbours,
  islandsPerNeighbour,
} from '@astropelago/contract/limits'
import type { FastifyBaseLogger } from 'fastify'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import { InstallationUnreachable } from '../read-about.ts'
import { StatementRefused } from '../statements.ts'
import { ChangeBudget } from './change-budget.ts'
import { followNeighbour, KeyUnknown, type FollowParts, type Receiver } from './follow-neighbour.ts'
import {
  TooManySubjects,
  type AppliedChanges,
  type Counts,
  type DirectoryChanges,
  type DirectoryPosition,
  type NeighbourRecord,
  type NeighboursStore,
} from './neighbours-store.ts'

const goneAfterMs = 30 * 86_400_000
const firstRetryMs = 1000
const lastRetryMs = 30_000
/** What one transaction takes of a statement, so that no other write waits long. */
const subjectsAtOnce = 500
/** How much of a contact's time a crash loses. */
const contactRestMs = 60_000

interface Connection {
  readonly controller: AbortController
  readonly ended: Promise<void>
}

interface Retry {
  readonly failures: number
  readonly atMs: number
}

export interface FollowingParts extends FollowParts {
  readonly store: NeighboursStore
  readonly leads: () => boolean
  readonly log: Pick<FastifyBaseLogger, 'error' | 'warn'>
  /** Called once something is in storage. */
  readonly publish: (neighbour: NeighbourRecord, applied: AppliedChanges) => Promise<void>
  /** A snapshot is complete: its islands and devices may be other ones. */
  readonly publishAll: (neighbour: NeighbourRecord) => Promise<void>
}

/** Keeps one connection to each neighbour that is followed, on the server that leads. */
export class Following {
  readonly #parts: FollowingParts
  readonly #connections = new Map<number, Connection>()
  /** Of which something has arrived. */
  readonly #connected = new Set<number>()
  readonly #retries = new Map<number, Retry>()
  readonly #budgets = new Map<number, ChangeBudget>()
  #counts: Promise<Map<number, Counts>> | undefined
  #isStopped = false

  constructor(parts: FollowingParts) {
    this.#parts = parts
  }

  isConnected(key: number): boolean {
    return this.#connected.has(key)
  }

  /** Call it every second, and after each change of neighbours. */
  async tick(): Promise<void> {
    const { store, leads, clock } = this.#parts
    const neighbours = leads() && !this.#isStopped ? await store.list() : []
    const followed = new Map(
      neighbours.filter(({ state }) => state === 'following').map((one) => [one.key, one]),
    )
    for (const [key, { controller }] of this.#connections) {
      if (!followed.has(key)) controller.abort()
    }
    for (const key of this.#budgets.keys()) if (!followed.has(key)) this.forgetRetry(key)
    for (const neighbour of followed.values()) {
      const { key } = neighbour
      if (this.#connections.has(key) || this.#isStopped) continue
      if ((this.#retries.get(key)?.atMs ?? 0) > clock()) continue
      const controller = new AbortController()
      const ended = this.#follow(neighbour, controller).finally(() => {
        this.#connections.delete(key)
        this.#connected.delete(key)
      })
      this.#connections.set(key, { controller, ended })
    }
  }

  /** Resolves when nothing is written any more. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const { controller } of this.#connections.values()) controller.abort()
    await Promise.all([...this.#connections.values()].map(({ ended }) => ended))
  }

  /** Counts what is stored anew: what was deleted leaves room for others. */
  recount(): void {
    this.#counts = undefined
  }

  /** An operator has changed something, so it is tried at once. */
  forgetRetry(key: number): void {
    this.#retries.delete(key)
    this.#budgets.delete(key)
  }

  async #follow(neighbour: NeighbourRecord, controller: AbortController): Promise<void> {
    const { key } = neighbour
    const { clock, store, log } = this.#parts
    const budget = this.#budgets.get(key) ?? new ChangeBudget(clock)
    this.#budgets.set(key, budget)
    const { signal } = controller
    try {
      const receiver = this.#receiverOf(neighbour)
      await followNeighbour(neighbour, { ...this.#parts, budget, receiver, signal })
    } catch (error) {
      if (signal.aborted) return
      try {
        const hold = holdFor(error)
        if (hold !== undefined) {
          await store.update(key, { state: 'held', ...hold })
          log.warn({ neighbour: neighbour.address, note: hold.note }, 'a neighbour is held')
          return
        }
        this.#retryLater(key)
        if (error instanceof InstallationUnreachable) await this.#note(neighbour, error.message)
        else if (!(error instanceof StorageUnavailable)) {
          log.error({ err: error, neighbour: neighbour.address }, 'a neighbour was not followed')
        }
      } catch (failure) {
        this.#retryLater(key)
        if (!(failure instanceof StorageUnavailable)) {
          log.error({ err: failure }, 'what is wrong with a neighbour was not stored')
        }
      }
    }
  }

  #receiverOf(neighbour: NeighbourRecord): Receiver {
    const { store, clock, publishAll } = this.#parts
    const { key } = neighbour
    let contactedMs = 0
    let known = neighbour
    let seen: Counts = { devices: 0, islands: 0 }
    const change = async (update: Parameters<NeighboursStore['update']>[1]) => {
      await store.update(key, update)
      known = { ...known, ...update }
    }
    return {
      introduce: async ({ name, key: publicKey, keyNumber }) => {
        const isSame = name === known.name && keyNumber === known.keyNumber
        if (!isSame || known.note !== null || known.unknownKey !== null) {
          await change({ name, publicKey, keyNumber, note: null, unknownKey: null })
          await publishAll(known)
        }
      },
      beginSnapshot: async (epoch) => {
        seen = { devices: 0, islands: 0 }
        await store.beginSnapshot(key, epoch)
      },
      addPage: async (changes) => {
        seen = {
          devices: seen.devices + changes.devices.length,
          islands: seen.islands + changes.islands.length,
        }
        const room = await this.#roomOf(key, seen)
        if (room.devices < 0 || room.islands < 0) throw new TooManySubjects()
        const all = { devices: changes.devices.length, islands: changes.islands.length }
        for (const part of partsOf(changes)) {
          await this.#count(key, await store.apply(key, part, { room: all }))
        }
        // What snapshots without an end leave must not add up.
        const stored = (await this.#readCounts()).get(key) ?? seen
        if (stored.devices > devicesPerNeighbour || stored.islands > islandsPerNeighbour) {
          await this.#count(key, await store.deleteMissing(key))
        }
      },
      endSnapshot: async (position) => {
        contactedMs = clock()
        await this.#count(key, await store.endSnapshot(key, position, contactedMs))
        this.#arrived(key)
        await publishAll(known)
      },
      change: async (changes, position) => {
        this.#arrived(key)
        await this.#change(known, changes, position)
      },
      alive: async (position) => {
        this.#arrived(key)
        if (clock() - contactedMs < contactRestMs) return
        contactedMs = clock()
        await store.recordContact(key, contactedMs, position)
      },
    }
  }

  async #change(
    neighbour: NeighbourRecord,
    changes: DirectoryChanges,
    position: DirectoryPosition,
  ): Promise<void> {
    const { store, publish, publishAll } = this.#parts
    const { key } = neighbour
    const parts = partsOf(changes)
    const apply = async (part: DirectoryChanges) => {
      // After a failure before the last part, the neighbour says all of it again.
      const isLast = part === parts.at(-1)
      const room = await this.#roomOf(key)
      const applied = await store.apply(key, part, { room, ...(isLast && { position }) })
      await this.#count(key, applied)
      return applied
    }
    const [only, ...others] = parts
    if (only !== undefined && others.length === 0) {
      await publish(neighbour, await apply(only))
      return
    }
    try {
      for (const part of parts) await apply(part)
    } finally {
      await publishAll(neighbour)
    }
  }

  /** @param has what the neighbour has by its present snapshot; otherwise, what is stored */
  async #roomOf(key: number, has?: Counts): Promise<Counts> {
    const counts = await this.#readCounts()
    const own = has ?? counts.get(key) ?? { devices: 0, islands: 0 }
    let { devices, islands } = own
    for (const [other, of] of counts) {
      if (other === key) continue
      devices += of.devices
      islands += of.islands
    }
    return {
      devices: Math.min(devicesPerNeighbour - own.devices, devicesOfNeighbours - devices),
      islands: Math.min(islandsPerNeighbour - own.islands, islandsOfNeighbours - islands),
    }
  }

  async #count(key: number, { grownBy }: AppliedChanges): Promise<void> {
    // The next reading counts this too.
    if (this.#counts === undefined) return
    const counts = await this.#counts
    const { devices, islands } = counts.get(key) ?? { devices: 0, islands: 0 }
    counts.set(key, { devices: devices + grownBy.devices, islands: islands + grownBy.islands })
  }

  #readCounts(): Promise<Map<number, Counts>> {
    this.#counts ??= this.#parts.store.countAll().then(
      (counts) => new Map(counts),
      (error: unknown) => {
        this.#counts = undefined
        throw error
      },
    )
    return this.#counts
  }

  #arrived(key: number): void {
    this.#connected.add(key)
    this.#retries.delete(key)
  }

  #retryLater(key: number): void {
    const failures = (this.#retries.get(key)?.failures ?? 0) + 1
    const most = Math.min(lastRetryMs, firstRetryMs * 2 ** failures)
    this.#retries.set(key, { failures, atMs: this.#parts.clock() + Math.random() * most })
  }

  async #note({ key, note: noted }: NeighbourRecord, note: string): Promise<void> {
    if (noted !== note) await this.#parts.store.update(key, { note })
  }
}

/** A statement's changes in order, few at a time. */
function partsOf({ devices, islands, removed }: DirectoryChanges): DirectoryChanges[] {
  const cut = <Subject>(all: readonly Subject[]): Subject[][] =>
    Array.from({ length: Math.ceil(all.length / subjectsAtOnce) }, (_, at) =>
      all.slice(at * subjectsAtOnce, (at + 1) * subjectsAtOnce),
    )
  if (devices.length + islands.length + removed.length <= subjectsAtOnce) {
    return [{ devices, islands, removed }]
  }
  return [
    ...cut(devices).map((part) => ({ devices: part, islands: [], removed: [] })),
    ...cut(islands).map((part) => ({ devices: [], islands: part, removed: [] })),
    ...cut(removed).map((part) => ({ devices: [], islands: [], removed: part })),
  ]
}

/** Deletes what came from neighbours without contact for 30 days ([F25]). */
export async function deleteGone(
  store: Pick<NeighboursStore, 'list' | 'deleteSubjects'>,
  nowMs: number,
): Promise<void> {
  for (const { key, contactMs, number } of await store.list()) {
    const isGone = contactMs !== null && contactMs < nowMs - goneAfterMs
    if (isGone && number !== null) await store.deleteSubjects(key)
  }
}

/** What operators read of a neighbour that has to be held; undefined if it may be tried again. */
function holdFor(
  error: unknown,
): { readonly note: string; readonly unknownKey?: string } | undefined {
  if (error instanceof KeyUnknown) return { note: error.message, unknownKey: error.key }
  if (error instanceof StatementRefused) return { note: error.message }
  if (error instanceof TooManySubjects) return { note: 'It shares more than is taken of others.' }
  return undefined
}
