import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { etagOf } from '../../http/negotiation.ts'
import { PacedAnswer } from '../../paced-answer.ts'
import type { StatusPageDrawing } from './draw-status-page.ts'
import type { PageFacts, StatusPageReader } from './read-status-page.ts'

const compress = promisify(gzip)

/** A page with 100 subjects takes 31 kB, or 157 kB if all their days differ. Most pages take 5 kB. */
const maxPages = 200
/** Other servers do not announce that a page was turned off. This server notices within this time. */
const shownMs = 1000
/** If changes outdate this many readings in a row, the last one is used. */
const readingsMax = 10

export interface CachedText {
  readonly etag: string
  readonly gzipped: Buffer
}

export interface CachedPage {
  readonly html: CachedText
  readonly json: CachedText
  readonly policy: string
  readonly madeFrom: string
}

interface Entry {
  /** Reads only the page’s own row. */
  readonly isShown: PacedAnswer<boolean>
  readonly answer: PacedAnswer<CachedPage | null>
  /** How often the page was dropped. */
  forgets: number
  /** Counts possible flips of its devices. After two flips the status is the same, but not its start. */
  flips: number
  page: string | undefined
  /** Undefined while it is read. */
  contents: ReturnType<typeof contentsOf> | undefined
}

/**
 * Reads settings at most once a second, and makes a page again only if it would differ. A page whose
 * subject is no longer public is dropped at once, and the next request waits for a new one.
 */
export class CachedPages {
  readonly #reader: StatusPageReader
  readonly #drawing: StatusPageDrawing
  readonly #entries = new LRUCache<string, Entry>({ max: maxPages })

  constructor(reader: StatusPageReader, drawing: StatusPageDrawing) {
    this.#reader = reader
    this.#drawing = drawing
  }

  async get(username: string): Promise<CachedPage | null> {
    const name = username.toLowerCase()
    let entry = this.#entries.get(name)
    if (entry === undefined) {
      entry = this.#newEntry(name)
      this.#entries.set(name, entry)
    }
    return (await entry.isShown.get()) ? await entry.answer.get() : null
  }

  forgetOwners(userKeys: readonly number[]): void {
    for (const entry of this.#entries.values()) {
      const { contents } = entry
      if (contents?.userKey !== undefined && !userKeys.includes(contents.userKey)) continue
      entry.isShown.forget()
      // A name without a page may have one now, which its row shows.
      if (contents === undefined || contents.userKey !== undefined) forget(entry)
    }
  }

  forgetSubject(kind: 'devices' | 'islands' | 'checks', key: number): void {
    for (const entry of this.#entries.values()) {
      if (entry.contents?.[kind].has(key) !== false) forget(entry)
    }
  }

  /** They are made again at the next request, even from the same facts. */
  markFlipped(deviceKeys: readonly number[]): void {
    const flipped = new Set(deviceKeys)
    for (const entry of this.#entries.values()) {
      if (entry.contents?.devices.isDisjointFrom(flipped) !== true) entry.flips += 1
    }
  }

  #newEntry(name: string): Entry {
    let made: CachedPage | undefined
    let madeAtFlips = 0
    const unlessForgotten = async <T>(read: () => Promise<T>): Promise<T> => {
      for (let readings = 1; ; readings += 1) {
        const { forgets } = entry
        const found = await read()
        if (entry.forgets === forgets || readings === readingsMax) return found
      }
    }
    const make = async (): Promise<CachedPage | null> => {
      const { flips } = entry
      const facts = await this.#reader.readFacts(name)
      entry.page = JSON.stringify(facts?.page)
      entry.contents = contentsOf(facts)
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
      // Unlike the time of day, this clock does not jump.
      clock: () => performance.now(),
    }
    const entry: Entry = {
      isShown: new PacedAnswer({ ...paced, make: findShown, maxIntervalMs: shownMs }),
      answer: new PacedAnswer({ ...paced, make: () => unlessForgotten(make) }),
      forgets: 0,
      flips: 0,
      page: undefined,
      contents: undefined,
    }
    return entry
  }

  async #make(facts: PageFacts): Promise<CachedPage> {
    const page = await this.#reader.readPage(facts)
    const policy = this.#drawing.policy(facts.page.settings.frameHosts)
    const [html, json] = await Promise.all([
      cacheText(this.#drawing.draw(page), policy),
      cacheText(JSON.stringify(page)),
    ])
    return { html, json, policy, madeFrom: facts.text }
  }
}

function forget(entry: Entry): void {
  entry.forgets += 1
  entry.contents = undefined
  entry.answer.forget()
}

function contentsOf(facts: PageFacts | undefined) {
  return {
    userKey: facts?.page.userKey,
    devices: new Set(facts?.devices.map(({ key }) => key)),
    islands: new Set(facts?.islands.map(({ key }) => key)),
    checks: new Set(facts?.checks.map(({ key }) => key)),
  }
}

/** @param policy part of the ETag, because browsers keep the old policy of an unchanged page */
export async function cacheText(text: string, policy = ''): Promise<CachedText> {
  return { etag: etagOf(policy + text), gzipped: await compress(text) }
}
