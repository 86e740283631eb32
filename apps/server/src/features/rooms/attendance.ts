import type { RoomPeople, RuntimeAnswer } from '@astropelago/contract/island-runtime'
import { roomPeopleNamed } from '@astropelago/contract/limits'
import type { PeopleThere } from '../../cluster/instance-notices.ts'
import type { LiveRoom, RoomReader } from './live-room.ts'

/** Changes within this time are told together. */
const tellMs = 500
/** How long the people on another server count after it was last heard of. */
const goneMs = 10_000
/** How many signed-out people one network counts for, however many pages it opens. */
const signedOutOfNetwork = 10

type RoomId = Pick<LiveRoom, 'islandKey' | 'name'>

interface Elsewhere extends PeopleThere {
  /** Since when its server is not connected any more. */
  lostAtMs: number | undefined
}

/** Who is in the rooms now, on all servers. */
export class Attendance {
  readonly #elsewhere = new Map<number, Map<string, Elsewhere>>()
  readonly #options
  readonly #due = new Set<string>()

  constructor(options: {
    readonly clock: () => number
    readonly find: (islandKey: number, name: string) => LiveRoom | undefined
    readonly rooms: () => Iterable<LiveRoom>
    readonly broadcast: (readers: Iterable<RoomReader>, push: RuntimeAnswer) => void
    /** Tells the other servers. */
    readonly publish: (there: PeopleThere) => void
  }) {
    this.#options = options
  }

  /** Somebody came or left here. */
  change(room: RoomId): void {
    this.#tell(room, true)
  }

  people(room: RoomId): RoomPeople {
    const everywhere = [hereIn(this.#find(room)), ...this.#elsewhereIn(room)]
    const named = new Map(everywhere.flatMap((there) => there.named))
    const unnamed = everywhere.reduce((sum, there) => sum + there.unnamed, 0)
    return {
      count: named.size + unnamed,
      people: [...named].slice(0, roomPeopleNamed).map(([id, name]) => ({ id, name })),
    }
  }

  /** How many people each island has in its rooms. Whoever is in two of them counts once. */
  counts(): ReadonlyMap<number, number> {
    const ids = new Map<number, Set<string>>()
    const counts = new Map<number, number>()
    const count = ({ islandKey, named, unnamed }: PeopleThere) => {
      const counted = ids.get(islandKey) ?? new Set()
      ids.set(islandKey, counted)
      const added = named.filter(([id]) => !counted.has(id))
      for (const [id] of added) counted.add(id)
      const sum = (counts.get(islandKey) ?? 0) + unnamed + added.length
      if (sum > 0) counts.set(islandKey, sum)
    }
    for (const room of this.#options.rooms()) count(hereIn(room))
    for (const rooms of this.#elsewhere.values()) rooms.forEach(count)
    return counts
  }

  /** What another server that is new has to know. */
  all(): readonly PeopleThere[] {
    return [...this.#options.rooms()].map(hereIn)
  }

  receive(writer: number, there: PeopleThere): void {
    const rooms = this.#elsewhere.get(writer) ?? new Map<string, Elsewhere>()
    this.#elsewhere.set(writer, rooms)
    const name = `${there.islandKey} ${there.room}`
    if (there.named.length + there.unnamed === 0) rooms.delete(name)
    else rooms.set(name, { ...there, lostAtMs: undefined })
    this.#tell({ islandKey: there.islandKey, name: there.room }, false)
  }

  /** Another server is not connected any more, or begins to say who is there. */
  lose(writer: number): void {
    for (const there of this.#elsewhere.get(writer)?.values() ?? []) {
      there.lostAtMs ??= this.#options.clock()
    }
  }

  forgetGone(): void {
    const untilMs = this.#options.clock() - goneMs
    for (const [writer, rooms] of this.#elsewhere) {
      for (const [name, there] of rooms) {
        if (there.lostAtMs === undefined || there.lostAtMs > untilMs) continue
        rooms.delete(name)
        this.#tell({ islandKey: there.islandKey, name: there.room }, false)
      }
      if (rooms.size === 0) this.#elsewhere.delete(writer)
    }
  }

  #elsewhereIn({ islandKey, name }: RoomId): Elsewhere[] {
    return [...this.#elsewhere.values()].flatMap((rooms) => rooms.get(`${islandKey} ${name}`) ?? [])
  }

  #tell({ islandKey, name }: RoomId, isHere: boolean): void {
    const due = `${isHere} ${islandKey} ${name}`
    if (this.#due.has(due)) return
    this.#due.add(due)
    setTimeout(() => {
      this.#due.delete(due)
      // Whoever left last may have come again since, into a room that was opened anew.
      const room = this.#find({ islandKey, name })
      if (isHere) this.#options.publish(hereIn(room))
      this.#options.broadcast(room.readers, { push: 'people', room: name, ...this.people(room) })
    }, tellMs).unref()
  }

  #find({ islandKey, name }: RoomId): Pick<LiveRoom, 'islandKey' | 'name' | 'readers'> {
    return this.#options.find(islandKey, name) ?? { islandKey, name, readers: new Set() }
  }
}

function hereIn({
  islandKey,
  name: room,
  readers,
}: Pick<LiveRoom, 'islandKey' | 'name' | 'readers'>): PeopleThere {
  const named = new Map<string, string>()
  const users = new Set<number>()
  const signedOut = new Map<string, number>()
  for (const { visitor } of readers) {
    const { writer, userKey, network } = visitor
    if (writer !== null) named.set(writer.id, writer.name)
    else if (userKey !== null) users.add(userKey)
    else signedOut.set(network, Math.min((signedOut.get(network) ?? 0) + 1, signedOutOfNetwork))
  }
  const unnamed = [...signedOut.values()].reduce((sum, count) => sum + count, users.size)
  return { islandKey, room, named: [...named], unnamed }
}
