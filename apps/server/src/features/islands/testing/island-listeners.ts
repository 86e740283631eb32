import { expect, vi } from 'vitest'
import type { TestBrowser } from '../../../test/create-test-app.ts'
import { readStream, type ReadStream } from '../../streams/testing/read-stream.ts'
import type { IslandModel, ModelIsland, ModelViewer } from './island-model.ts'

/** The server publishes within a second. */
const tellsWithin = { timeout: 10_000, interval: 20 }

/** A user's rights on an island at any moment since the last check. */
interface Rights {
  knew: boolean
  entered: boolean
  hosted: boolean
  owned: boolean
}

/** A viewer who reads every stream. */
interface Listener {
  readonly viewer: ModelViewer
  readonly feed: ReadStream
  /** Undefined if the viewer is not signed in. */
  readonly own: ReadStream | undefined
  readonly ofIslands: Map<ModelIsland, ReadStream>
  readonly rights: Map<ModelIsland, Rights>
  /** The islands that were the viewer's when the round began. */
  owned: readonly ModelIsland[]
  /** The rights of the previous round. */
  earlierRights: ReadonlyMap<ModelIsland, Rights>
  /** The ids of the islands that the feed has listed and not removed. */
  readonly listed: Set<string>
  readonly read: { feed: number; own: number }
}

interface ListenersOptions {
  readonly url: string
  readonly model: IslandModel
  readonly users: readonly TestBrowser[]
}

/** Viewers who read the live feed, their own stream and the stream of each island while moves are made. */
export class IslandListeners {
  readonly #options: ListenersOptions
  readonly #listeners: readonly Listener[]
  /** Islands that were listed at any moment since the last check. */
  #wereListed = new Set<ModelIsland>()

  private constructor(options: ListenersOptions, listeners: readonly Listener[]) {
    this.#options = options
    this.#listeners = listeners
  }

  /** Call it before anything is published. */
  static async open(
    options: ListenersOptions,
    viewers: readonly ModelViewer[],
  ): Promise<IslandListeners> {
    const { url, users } = options
    const open = async (viewer: ModelViewer): Promise<Listener> => {
      const browser = viewer === null ? undefined : users[viewer]
      return {
        viewer,
        feed: await readStream(url, '/api/devices/stream', browser),
        own: browser && (await readStream(url, '/api/me/stream', browser)),
        ofIslands: new Map(),
        rights: new Map(),
        owned: [],
        earlierRights: new Map(),
        listed: new Set(),
        read: { feed: 0, own: 0 },
      }
    }
    const opened = new IslandListeners(options, await Promise.all(viewers.map(open)))
    await opened.connect()
    return opened
  }

  /** Connects each viewer to the islands that the viewer may see by now. */
  async connect(): Promise<void> {
    const { url, model, users } = this.#options
    for (const listener of this.#listeners) {
      const { viewer, ofIslands } = listener
      listener.owned = model.islands.filter((island) => model.isOwn(viewer, island))
      for (const island of model.islands) {
        if (ofIslands.has(island) || !model.knows(viewer, island)) continue
        const browser = viewer === null ? undefined : users[viewer]
        const stream = await readStream(url, `/api/islands/${island.id}/stream`, browser)
        expectOf({ viewer }, { status: stream.status }, { status: 200 })
        ofIslands.set(island, stream)
      }
    }
    this.noteMove()
  }

  /** Call it after each move. */
  noteMove(): void {
    const { model } = this.#options
    for (const island of model.islands) {
      if (model.isShown(island) && island.isListed) this.#wereListed.add(island)
      for (const { viewer, rights } of this.#listeners) {
        const before = rights.get(island)
        rights.set(island, {
          knew: before?.knew === true || model.knows(viewer, island),
          entered: before?.entered === true || model.enters(viewer, island),
          hosted: before?.hosted === true || model.isHost(viewer, island),
          owned: before?.owned === true || model.isOwn(viewer, island),
        })
      }
    }
  }

  /** Waits until all listeners have what they should get, and checks for what they should not. */
  async check(): Promise<void> {
    for (const listener of this.#listeners) {
      await this.#checkFeed(listener)
      await this.#checkOwn(listener)
      await this.#checkIslands(listener)
      listener.earlierRights = new Map(listener.rights)
      listener.rights.clear()
    }
    this.#wereListed.clear()
    this.noteMove()
  }

  close(): void {
    for (const { feed, own, ofIslands } of this.#listeners) {
      for (const stream of [feed, own, ...ofIslands.values()]) stream?.close()
    }
  }

  async #checkFeed({ viewer, feed, listed, read }: Listener): Promise<void> {
    const { model } = this.#options
    const told: string[] = []
    await vi.waitFor(() => {
      for (const message of feed.messages.slice(read.feed)) {
        read.feed += 1
        told.push(JSON.stringify(message))
        const id = String(message.payload?.['id'])
        if (message.type === 'island') listed.add(id)
        if (message.type === 'island-removed') listed.delete(id)
      }
      const isListed = (island: ModelIsland) => model.isShown(island) && island.isListed
      const feedNow = model.islands.map(({ id }) => listed.has(id))
      expectOf({ viewer }, { feed: feedNow }, { feed: model.islands.map(isListed) })
    }, tellsWithin)
    const text = told.join('\n')
    const unlisted = model.islands.filter((island) => !this.#wereListed.has(island))
    const forbidden = [
      ...unlisted.map(({ mark }) => mark),
      ...model.islands.map(({ innerMark }) => innerMark),
    ]
    const leaks = forbidden.filter((mark) => text.includes(mark))
    expectOf({ viewer }, { leaks }, { leaks: [] })
  }

  async #checkOwn({ viewer, own, owned, rights, earlierRights, read }: Listener): Promise<void> {
    if (own === undefined) return
    const { model } = this.#options
    // One that was the viewer's for a moment only may have gone before the server read that it was.
    const lost = owned.filter((island) => !model.isOwn(viewer, island))
    await vi.waitFor(() => {
      const gone = new Set(
        own.messages
          .filter(({ type }) => type === 'island-gone')
          .map(({ payload }) => payload?.['id']),
      )
      const missed = lost.filter(({ id }) => !gone.has(id)).map(({ mark }) => mark)
      expectOf({ viewer, got: own.types() }, { missed }, { missed: [] })
    }, tellsWithin)
    const messages = own.messages.slice(read.own)
    read.own += messages.length
    const wrong = messages.filter(({ type, payload }) => {
      if (type === 'reports') return true
      const island = model.islands.find(({ id }) => id === payload?.['id'])
      // About their own devices, or that a count changed.
      if (island === undefined) return type.startsWith('island-')
      // Messages from the end of the last round may arrive in this one.
      const had = [rights.get(island), earlierRights.get(island)]
      const isTheirs = (right: Rights | undefined) =>
        type === 'island-requests' ? right?.hosted === true : right?.owned === true
      return !had.some(isTheirs)
    })
    expectOf({ viewer }, { wrong, marks: this.#marksIn(own) }, { wrong: [], marks: [] })
  }

  async #checkIslands({ viewer, ofIslands, rights }: Listener): Promise<void> {
    const { model } = this.#options
    for (const [island, stream] of ofIslands) {
      const asked = { viewer, island: model.islands.indexOf(island) }
      if (!model.knows(viewer, island)) {
        await vi.waitFor(
          () => expectOf(asked, { isOver: stream.isOver() }, { isOver: true }),
          tellsWithin,
        )
      }
      const isOfIt = stream.messages.every(
        ({ type, payload }) => type === 'reload' || payload?.['id'] === island.id,
      )
      const hasLog = stream.types().includes('island-log')
      expectOf(asked, { isOfIt, marks: this.#marksIn(stream) }, { isOfIt: true, marks: [] })
      if (rights.get(island)?.entered !== true) expectOf(asked, { hasLog }, { hasLog: false })
      // Each check opens its own connections.
      stream.close()
      ofIslands.delete(island)
    }
  }

  /** Streams carry only ids. Readers ask the API for the rest. */
  #marksIn({ messages }: ReadStream): string[] {
    const text = JSON.stringify(messages)
    return this.#options.model.islands
      .flatMap(({ mark, innerMark }) => [mark, innerMark])
      .filter((mark) => text.includes(mark))
  }
}

/** A failure shows the viewer and the island. */
function expectOf(asked: object, found: object, wanted: object): void {
  expect({ ...asked, ...found }).toEqual({ ...asked, ...wanted })
}
