import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { LRUCache } from 'lru-cache'
import * as v from 'valibot'
import { DomainError } from '../../../domain-error.ts'
import { etagOf } from '../../../http/negotiation.ts'
import { drawLinkPicture, type PicturedIsland } from './draw-link-picture.ts'

/** What picture-worker.ts sends. */
const Answer = v.object({ png: v.instance(Uint8Array) })

/** A picture has some 125 kB. */
const cacheMaxBytes = 12 * 1024 * 1024
const waitingMax = 20
/** A thread that has nothing to do gives its memory back. */
const idleMs = 30_000

/**
 * Link pictures as PNG: the last ones from memory, new ones by a thread that rests twice as long as it works, so
 * that whoever asks for all of them takes a third of one core.
 */
export class LinkPictures {
  readonly #known = new LRUCache<string, Uint8Array>({
    maxSize: cacheMaxBytes,
    sizeCalculation: ({ length }) => length,
  })
  readonly #underWay = new Map<string, Promise<Uint8Array>>()
  #last: Promise<void> = Promise.resolve()
  #worker: Worker | undefined
  #idleTimer: NodeJS.Timeout | undefined

  /** Of what is drawn: another name is another picture. */
  static etagOf({ slug, name, kind }: PicturedIsland): string {
    return etagOf(JSON.stringify([slug, name, kind]))
  }

  /** @throws DomainError `overloaded` when too many wait for theirs */
  async read(island: PicturedIsland): Promise<Uint8Array> {
    const name = LinkPictures.etagOf(island)
    const known = this.#known.get(name) ?? this.#underWay.get(name)
    if (known !== undefined) return await known
    if (this.#underWay.size >= waitingMax) throw new DomainError('overloaded', { retryAfterS: 10 })
    const drawn = this.#inTurn(() => this.#draw(drawLinkPicture(island)))
    this.#underWay.set(name, drawn)
    try {
      const png = await drawn
      this.#known.set(name, png)
      return png
    } finally {
      this.#underWay.delete(name)
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  async #inTurn(draw: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    const startMs = performance.now()
    try {
      return await draw()
    } finally {
      resolve(wait((performance.now() - startMs) * 2, undefined, { ref: false }))
    }
  }

  async #draw(svg: string): Promise<Uint8Array> {
    clearTimeout(this.#idleTimer)
    this.#worker ??= this.#startWorker()
    const worker = this.#worker
    worker.postMessage(svg)
    const [message]: unknown[] = await once(worker, 'message')
    this.#idleTimer = setTimeout(() => void this.close(), idleMs).unref()
    return v.parse(Answer, message).png
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL('./picture-worker.ts', import.meta.url), {
      name: 'link-pictures',
      // Under `node --watch`, by its own variable, a worker's imports are messages among its answers.
      env: {},
    })
    // `once` rejects with its error: where the library can't be loaded, each picture fails by itself.
    worker.on('error', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    worker.unref()
    return worker
  }
}
