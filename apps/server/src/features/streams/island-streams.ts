import type { IslandMessage } from '@astropelago/contract/streams'
import { KeyedQueue } from '../../keyed-queue.ts'
import type { MessageStream } from './message-stream.ts'
import type { IslandEvent, StreamIslands } from './stream-sources.ts'

interface Reading {
  readonly stream: MessageStream<IslandMessage>
  readonly islandId: string
  /** Null for a visitor. */
  readonly userKey: number | null
  /** Only those who may enter see what happens inside. */
  mayEnter: boolean
}

/**
 * The readers of each island. When rights may have changed, they are checked anew for all its readers at
 * once.
 */
export class IslandStreams {
  readonly #islands: StreamIslands
  readonly #readings = new Map<number, Set<Reading>>()
  readonly #checks: KeyedQueue<number>

  constructor(islands: StreamIslands, noteFailure: (error: unknown) => void) {
    this.#islands = islands
    this.#checks = new KeyedQueue({
      run: async (islandKeys) => {
        for (const islandKey of islandKeys) {
          await this.#check(islandKey).catch((error: unknown) => {
            // Nobody knows now what these readers may see.
            for (const { stream } of this.#of(islandKey)) stream.destroy()
            noteFailure(error)
          })
        }
      },
    })
    islands.listen((event) => this.#note(event))
  }

  *streams(): Iterable<MessageStream<IslandMessage>> {
    for (const readings of this.#readings.values()) {
      for (const { stream } of readings) yield stream
    }
  }

  /**
   * @returns a function to call when the connection has closed; undefined if the reader may no longer know
   * about the island
   */
  async join(
    islandKey: number,
    reader: Omit<Reading, 'mayEnter'>,
  ): Promise<(() => void) | undefined> {
    const reading: Reading = { ...reader, mayEnter: false }
    const readings = this.#readings.get(islandKey) ?? new Set()
    // Join before the check, so that changes meanwhile are sent too.
    this.#readings.set(islandKey, readings.add(reading))
    await this.#checks.add(islandKey)
    if (!readings.has(reading)) return undefined
    return () => {
      readings.delete(reading)
      if (readings.size === 0 && this.#readings.get(islandKey) === readings) {
        this.#readings.delete(islandKey)
      }
    }
  }

  #of(islandKey: number): Iterable<Reading> {
    return this.#readings.get(islandKey) ?? []
  }

  #note(event: IslandEvent): void {
    const { islandKey, id } = event
    if (!this.#readings.has(islandKey)) return
    switch (event.kind) {
      case 'open': {
        const { isOpen, since } = event
        return this.#tell(islandKey, { type: 'island-open', payload: { id, isOpen, since } })
      }
      case 'log':
        for (const { stream, mayEnter } of this.#of(islandKey)) {
          if (mayEnter) stream.tell({ type: 'island-log', payload: { id } })
        }
        return undefined
      case 'requests':
        // Their relation to the island has changed.
        for (const { stream, userKey } of this.#of(islandKey)) {
          if (userKey !== null && event.userKeys.includes(userKey)) {
            stream.tell({ type: 'island-changed', payload: { id } })
          }
        }
        return undefined
      case 'gone':
        for (const reading of this.#of(islandKey)) sendAway(reading)
        return undefined
      case 'changed':
      case 'members':
        return void this.#checkAndTell(event)
    }
  }

  async #checkAndTell({ kind, islandKey, id }: IslandEvent): Promise<void> {
    await this.#checks.add(islandKey)
    const type = kind === 'members' ? 'island-members' : 'island-changed'
    for (const { stream, userKey } of this.#of(islandKey)) {
      stream.tell({ type, payload: { id } })
      // Their relation to the island may have changed.
      if (kind === 'members' && userKey !== null) {
        stream.tell({ type: 'island-changed', payload: { id } })
      }
    }
  }

  async #check(islandKey: number): Promise<void> {
    const readings = [...this.#of(islandKey)]
    const userKeys = new Set(readings.flatMap(({ userKey }) => userKey ?? []))
    const rightsOf = await this.#islands.readRights(islandKey, [...userKeys])
    for (const reading of readings) {
      const { mayKnow, mayEnter } = rightsOf(reading.userKey)
      reading.mayEnter = mayEnter
      if (!mayKnow) {
        this.#readings.get(islandKey)?.delete(reading)
        sendAway(reading)
      }
    }
  }

  #tell(islandKey: number, message: IslandMessage): void {
    for (const { stream } of this.#of(islandKey)) stream.tell(message)
  }
}

function sendAway({ stream, islandId }: Reading): void {
  stream.tell({ type: 'island-gone', payload: { id: islandId } })
  stream.end()
}
