import { LRUCache } from 'lru-cache'
import * as v from 'valibot'
import { etagOf } from '../../../http/negotiation.ts'
import { PictureThread } from '../../../picture-thread.ts'
import { drawLinkPicture, type PicturedIsland } from './draw-link-picture.ts'

/** A message from picture-worker.ts. */
const Answer = v.object({ png: v.instance(Uint8Array) })

/** One picture takes about 125 kB. */
const cacheMaxBytes = 12 * 1024 * 1024

/** Link pictures as PNG. Recent ones are cached, new ones are drawn on a thread. */
export class LinkPictures {
  readonly #cached = new LRUCache<string, Uint8Array>({
    maxSize: cacheMaxBytes,
    sizeCalculation: ({ length }) => length,
  })
  readonly #underWay = new Map<string, Promise<Uint8Array>>()
  readonly #thread = new PictureThread({
    file: new URL('./picture-worker.ts', import.meta.url),
    name: 'link-pictures',
    waitingMax: 20,
  })

  readonly #siteName: string

  constructor(siteName: string) {
    this.#siteName = siteName
  }

  /** Changes with everything that the picture shows. */
  etagOf({ picture, name, kind }: PicturedIsland): string {
    return etagOf(JSON.stringify([picture, name, kind, this.#siteName]))
  }

  /** @throws DomainError `overloaded` if too many requests are waiting */
  async read(island: PicturedIsland): Promise<Uint8Array> {
    const name = this.etagOf(island)
    const cached = this.#cached.get(name) ?? this.#underWay.get(name)
    if (cached !== undefined) return await cached
    const drawn = this.#draw(island)
    this.#underWay.set(name, drawn)
    try {
      const png = await drawn
      this.#cached.set(name, png)
      return png
    } finally {
      this.#underWay.delete(name)
    }
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }

  async #draw(island: PicturedIsland): Promise<Uint8Array> {
    return v.parse(Answer, await this.#thread.ask(drawLinkPicture(island, this.#siteName))).png
  }
}
