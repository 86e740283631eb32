import * as v from 'valibot'
import { Topic } from '../topic.ts'

/** Who is in a room on one server. */
export const PeopleThere = v.object({
  islandKey: v.number(),
  room: v.string(),
  /** The ids and names of those who said who they are. */
  named: v.array(v.tuple([v.string(), v.string()])),
  unnamed: v.number(),
})
export type PeopleThere = v.InferOutput<typeof PeopleThere>

const Notice = v.variant('kind', [
  /** Something was committed in a room. */
  v.object({
    kind: v.literal('room'),
    islandKey: v.number(),
    room: v.string(),
    /** Whether a visitor was blocked, on the whole island. */
    isBlock: v.boolean(),
  }),
  v.object({ kind: v.literal('people'), there: PeopleThere }),
  /** Values of an island were written or deleted. */
  v.object({
    kind: v.literal('values'),
    islandKey: v.number(),
    names: v.array(v.tuple([v.string(), v.number(), v.string()])),
  }),
  /** What the agents of a device lend; null for nothing any more. */
  v.object({ kind: v.literal('lender'), deviceKey: v.number(), perHour: v.nullable(v.number()) }),
])
export type Notice = v.InferOutput<typeof Notice>

/**
 * What servers on one database tell each other at once, where reading the database would be too slow. They
 * may miss it, so whatever matters is in the database as well.
 */
export class InstanceNotices {
  readonly #links = new Set<(line: string) => void>()
  readonly #sources = new Map<number, object>()
  readonly #received = new Topic<[writer: number, notice: Notice]>()
  readonly #gaps = new Topic<[writer: number]>()
  readonly #greetings: (() => readonly Notice[])[] = []

  readonly subscribe = this.#received.subscribe
  /** What another server said may not hold: it begins anew, or is not connected any more. */
  readonly onGap = this.#gaps.subscribe

  /** How many other servers tell this one what they do. */
  get sources(): number {
    return this.#sources.size
  }

  publish(notice: Notice): void {
    if (this.#links.size === 0) return
    const line = lineOf(notice)
    for (const write of this.#links) write(line)
  }

  /** What a server has to know that has just been connected. */
  onJoin(greeting: () => readonly Notice[]): void {
    this.#greetings.push(greeting)
  }

  /** This server tells another one what it does. @returns ends that */
  connect(write: (line: string) => void): () => void {
    this.#links.add(write)
    for (const greeting of this.#greetings) for (const notice of greeting()) write(lineOf(notice))
    return () => void this.#links.delete(write)
  }

  /** Another server tells this one what it does, instead of on an earlier connection that is yet to end. */
  receive(writer: number): { readonly take: (line: string) => void; readonly end: () => void } {
    const source = {}
    this.#sources.set(writer, source)
    this.#gaps.publish(writer)
    return {
      /** Servers of another version may say what this one does not understand. */
      take: (line) => {
        const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Notice), line)
        if (parsed.success) this.#received.publish(writer, parsed.output)
      },
      end: () => {
        if (this.#sources.get(writer) !== source) return
        this.#sources.delete(writer)
        this.#gaps.publish(writer)
      },
    }
  }
}

const lineOf = (notice: Notice): string => `${JSON.stringify(notice)}\n`
