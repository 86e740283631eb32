import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { etagOf } from '../../http/negotiation.ts'
import { PacedAnswer } from '../../paced-answer.ts'
import type { StatusPageDrawing } from './draw-status-page.ts'
import type { PageFacts, StatusPageReader } from './read-status-page.ts'

const compress = promisify(gzip)

/** Of 100 things one has 31 kB, or 157 kB where each of their days is another; most have 5 kB. */
const pagesKept = 200
/** Other servers don't say that a page was turned off: within so long it is found here. */
const shownMs = 1000
/** While what a page shows is changed without a pause it is shown as it was read last. */
const readingsMax = 10

/** What is sent again and again. */
export interface KeptText {
  readonly etag: string
  readonly gzipped: Buffer
}

export interface KeptPage {
  readonly html: KeptText
  readonly json: KeptText
  readonly policy: string
  /** `PageFacts`' text. */
  readonly madeFrom: string
}

interface Entry {
  /** Whether there is such a page: no more than a look at its own row. */
  readonly isShown: PacedAnswer<boolean>
  readonly answer: PacedAnswer<KeptPage | null>
  /** How often it was to be forgotten. */
  forgets: number
  /** How often something on it may have flipped: since when it is what it is, it may have been before. */
  flips: number
  /** `ShownPage` as it was read last. */
  page: string | undefined
  /** What is on it, by key; undefined while that is being read. */
  things:
    | { readonly devices: ReadonlySet<number>; readonly islands: ReadonlySet<number> }
    | undefined
}

/**
 * Status pages as they are sent, by their usernames. Whoever looks at one has it looked at once in a second, and
 * made anew where it would be another one; of one that takes long to look at that goes for what its user chose alone.
 * What was taken from everybody is forgotten at once: who asks next waits.
 */
export class KeptPages {
  readonly #reader: StatusPageReader
  readonly #drawing: StatusPageDrawing
  readonly #entries = new LRUCache<string, Entry>({ max: pagesKept })

  constructor(reader: StatusPageReader, drawing: StatusPageDrawing) {
    this.#reader = reader
    this.#drawing = drawing
  }

  /** Null where there is no such page. */
  async get(username: string): Promise<KeptPage | null> {
    const name = username.toLowerCase()
    let entry = this.#entries.get(name)
    if (entry === undefined) {
      entry = this.#newEntry(name)
      this.#entries.set(name, entry)
    }
    return (await entry.isShown.get()) ? await entry.answer.get() : null
  }

  forgetUser(username: string): void {
    const entry = this.#entries.peek(username.toLowerCase())
    if (entry !== undefined) forgetUser(entry)
  }

  forgetAll(): void {
    for (const entry of this.#entries.values()) forgetUser(entry)
  }

  /** Those on which this may be. */
  forgetThing(kind: 'devices' | 'islands', key: number): void {
    for (const entry of this.#entries.values()) {
      if (entry.things?.[kind].has(key) !== false) forget(entry)
    }
  }

  /** Those on which one of these is are made anew when they are looked at next, be all of it as it was. */
  noteFlips(deviceKeys: readonly number[]): void {
    const flipped = new Set(deviceKeys)
    for (const entry of this.#entries.values()) {
      if (entry.things?.devices.isDisjointFrom(flipped) !== true) entry.flips += 1
    }
  }

  #newEntry(name: string): Entry {
    let made: KeptPage | undefined
    let madeAtFlips = 0
    const unlessForgotten = async <T>(read: () => Promise<T>): Promise<T> => {
      for (let readings = 1; ; readings += 1) {
        const { forgets } = entry
        const found = await read()
        if (entry.forgets === forgets || readings === readingsMax) return found
      }
    }
    const make = async (): Promise<KeptPage | null> => {
      const { flips } = entry
      const facts = await this.#reader.look(name)
      entry.page = JSON.stringify(facts?.page)
      entry.things = thingsOf(facts)
      if (facts === undefined) made = undefined
      else if (made?.madeFrom !== facts.text || madeAtFlips !== flips) {
        made = await this.#make(facts)
        madeAtFlips = flips
      }
      return made ?? null
    }
    const findShown = async (): Promise<boolean> => {
      const page = await unlessForgotten(() => this.#reader.findShown(name))
      if (JSON.stringify(page) !== entry.page) forget(entry)
      return page !== undefined
    }
    const paced = {
      // What it is made from says it, once in a second at most.
      isCurrent: () => false,
      // Not the time of day, which may jump.
      clock: () => performance.now(),
    }
    const entry: Entry = {
      isShown: new PacedAnswer({ ...paced, make: findShown, maxIntervalMs: shownMs }),
      answer: new PacedAnswer({ ...paced, make: () => unlessForgotten(make) }),
      forgets: 0,
      flips: 0,
      page: undefined,
      things: undefined,
    }
    return entry
  }

  async #make(facts: PageFacts): Promise<KeptPage> {
    const page = await this.#reader.read(facts)
    const policy = this.#drawing.policy(facts.page.settings.frameHosts)
    const [html, json] = await Promise.all([
      keepText(this.#drawing.draw(page), policy),
      keepText(JSON.stringify(page)),
    ])
    return { html, json, policy, madeFrom: facts.text }
  }
}

function forget(entry: Entry): void {
  entry.forgets += 1
  entry.things = undefined
  entry.answer.forget()
}

function forgetUser(entry: Entry): void {
  entry.isShown.forget()
  forget(entry)
}

function thingsOf(facts: PageFacts | undefined): Entry['things'] {
  return {
    devices: new Set(facts?.devices.map(({ key }) => key)),
    islands: new Set(facts?.islands.map(({ key }) => key)),
  }
}

/** @param policy goes with it: browsers that are told that a page is unchanged keep the one that they have */
export async function keepText(text: string, policy = ''): Promise<KeptText> {
  return { etag: etagOf(policy + text), gzipped: await compress(text) }
}
