import type { Joined, RoomPeople, RuntimeAnswer } from '@astropelago/contract/island-runtime'
import { roomMessagesShown } from '@astropelago/contract/limits'
import type { RoomMessage } from '@astropelago/contract/rooms'
import type { RoomRecord, RoomsStore, StoredEvent, Writer } from './rooms-store.ts'

/** Whoever has a page of an island open. */
export interface Visitor {
  readonly islandKey: number
  /** Null for visitors who are not signed in. */
  readonly userKey: number | null
  /** Null until the visitor agrees that the island learns the name. */
  readonly writer: Writer | null
  readonly isDemo: boolean
  /** When the account was made. */
  readonly createdMs: number
  /** Its host, and operators. */
  readonly isModerator: boolean
  readonly network: string
}

export interface RoomReader {
  readonly visitor: Visitor
  readonly push: (push: RuntimeAnswer) => void
}

/** Who writes, apart from moderators: visitors who said who they are, everybody, or nobody. */
export type WriteRule = 'visitors' | 'anyone' | 'host'

interface Remembered {
  readonly message: Omit<RoomMessage, 'value'>
  /** JSON: many small objects take thirteen times as much. */
  readonly value: string
  readonly userKey: number | null
}

/** A room that somebody here reads. */
export class LiveRoom {
  readonly islandKey: number
  readonly name: string
  readonly readers = new Set<RoomReader>()
  /** How many are about to enter. */
  joining = 0
  readonly #store: RoomsStore
  readonly #broadcast: (readers: Iterable<RoomReader>, push: RuntimeAnswer) => void
  readonly #people: () => RoomPeople
  readonly #readRule: () => Promise<WriteRule>
  readonly #ready: Promise<void>
  #rule: WriteRule = 'visitors'
  #record: RoomRecord | undefined
  #messages: Remembered[] = []
  #last = 0
  #isLoaded = false

  constructor(
    { islandKey, name }: Pick<RoomRecord, 'islandKey' | 'name'>,
    parts: {
      readonly store: RoomsStore
      readonly readRule: () => Promise<WriteRule>
      readonly people: (room: LiveRoom) => RoomPeople
      readonly broadcast: (readers: Iterable<RoomReader>, push: RuntimeAnswer) => void
    },
  ) {
    this.islandKey = islandKey
    this.name = name
    this.#store = parts.store
    this.#broadcast = parts.broadcast
    this.#people = () => parts.people(this)
    this.#readRule = parts.readRule
    this.#ready = this.#load()
  }

  get key(): number | undefined {
    return this.#record?.key
  }

  get last(): number {
    return this.#last
  }

  /** @throws StorageUnavailable */
  async ready(): Promise<void> {
    await this.#ready
  }

  /**
   * Answers a reader, who gets what comes after that.
   * @param after the last event that the reader has
   * @throws StorageUnavailable
   */
  async enter(
    reader: RoomReader,
    after: number | undefined,
    answer: (joined: Omit<Joined, 'attendance'>) => void,
  ): Promise<void> {
    const missed = after === undefined ? undefined : await this.#readMissed(after)
    // In one turn, so nothing is delivered before the answer or missed after it.
    this.readers.add(reader)
    answer(
      missed === undefined
        ? this.#anew(reader)
        : { ...this.#position(reader), isReset: false, events: missed },
    )
  }

  async updateRule(): Promise<void> {
    const rule = await this.#readRule()
    if (rule === this.#rule) return
    this.#rule = rule
    this.#tellRights()
  }

  #rightsOf({ visitor: { isModerator, isDemo } }: RoomReader) {
    const isOpen = this.#rule !== 'host' && this.#record?.isReadOnly !== true
    return { mayWrite: isModerator || (isOpen && !isDemo), isModerator }
  }

  /** What was committed here, now or before. @returns whether it has to be read: others are missing */
  deliver(room: RoomRecord, stored: readonly StoredEvent[]): boolean {
    this.#record ??= room
    const due = stored.filter(({ event }) => event.n > this.#last)
    if (due.length === 0) return false
    const isNext = due.every(({ event }, at) => event.n === this.#last + 1 + at)
    if (!this.#isLoaded || !isNext) return true
    this.#apply(due, this.#last + due.length)
    return false
  }

  /** Reads and delivers what others committed. @throws StorageUnavailable */
  async refresh(): Promise<void> {
    await this.#ready
    this.#record ??= await this.#store.find(this.islandKey, this.name)
    if (this.#record === undefined) return
    const { last, first, events } = await this.#store.readAfter(this.#record.key, this.#last)
    if (last <= this.#last) return
    if (first > this.#last + 1) await this.reload()
    else {
      this.#apply(
        events.filter(({ event }) => event.n > this.#last),
        last,
      )
    }
  }

  /** Reads all anew: messages are gone, or too many were missed. @throws StorageUnavailable */
  async reload(): Promise<void> {
    await this.#read()
    const attendance = this.#people()
    // Hundreds of readers share what is the same for them: it can have 800 kB.
    const alike = Map.groupBy(this.readers, (reader) => JSON.stringify(this.#rightsOf(reader)))
    for (const readers of alike.values()) {
      const [reader] = readers
      if (reader === undefined) continue
      const joined = { ...this.#anew(reader), attendance }
      this.#broadcast(readers, { push: 'reset', room: this.name, joined })
    }
  }

  hasMessageOf(userKeys: ReadonlySet<number>): boolean {
    return this.#messages.some(({ userKey }) => userKey !== null && userKeys.has(userKey))
  }

  /** What came since, unless that is no longer kept. */
  async #readMissed(after: number) {
    // Another server may have delivered what this one has yet to read.
    if (after > this.#last) await this.refresh()
    for (;;) {
      if (this.#record === undefined || after > this.#last) return undefined
      if (after === this.#last) return []
      const { first, last, events } = await this.#store.readAfter(this.#record.key, after)
      if (first > after + 1) return undefined
      // What is not delivered yet comes to this reader as well.
      if (last >= this.#last)
        return events.map(({ event }) => event).filter(({ n }) => n <= this.#last)
    }
  }

  #anew(reader: RoomReader): Omit<Joined, 'attendance'> {
    const events = this.#messages.map(({ message, value }) => ({
      ...message,
      value: JSON.parse(value),
    }))
    return { ...this.#position(reader), isReset: true, events }
  }

  #position(reader: RoomReader) {
    return {
      roomId: this.#record?.id ?? null,
      last: this.#last,
      rights: this.#rightsOf(reader),
    }
  }

  async #load(): Promise<void> {
    this.#rule = await this.#readRule()
    await this.#read()
    this.#isLoaded = true
  }

  async #read(): Promise<void> {
    const record = await this.#store.find(this.islandKey, this.name)
    if (record === undefined) return
    const events = await this.#store.readLast(record.key, roomMessagesShown)
    // What was delivered meanwhile may be missing in it.
    if (record.last < this.#last) {
      await this.#read()
      return
    }
    this.#record = record
    this.#last = record.last
    this.#messages = []
    // What was committed since comes with the next reading.
    for (const stored of events) if (stored.event.n <= record.last) this.#remember(stored)
  }

  #apply(stored: readonly StoredEvent[], last: number): void {
    this.#last = last
    for (const one of stored) this.#remember(one)
    const roomId = this.#record?.id
    if (stored.length === 0 || roomId === undefined) return
    const events = stored.map(({ event }) => event)
    this.#broadcast(this.readers, { push: 'events', room: this.name, roomId, events })
    if (events.some(({ kind }) => kind === 'read-only')) this.#tellRights()
  }

  #tellRights(): void {
    for (const reader of this.readers) {
      reader.push({ push: 'rights', room: this.name, ...this.#rightsOf(reader) })
    }
  }

  #remember({ event, userKey }: StoredEvent): void {
    switch (event.kind) {
      case 'message': {
        const { value, ...message } = event
        this.#messages.push({ message, value: JSON.stringify(value), userKey })
        if (this.#messages.length > roomMessagesShown) this.#messages.shift()
        break
      }
      case 'delete':
        this.#messages = this.#messages.filter(({ message }) => message.n !== event.message)
        break
      case 'erase':
        this.#messages = this.#messages.filter(({ message }) => message.from?.id !== event.visitor)
        break
      case 'read-only':
        if (this.#record !== undefined) {
          this.#record = { ...this.#record, isReadOnly: event.isOn }
        }
        break
      default:
    }
  }
}
