import { LRUCache } from 'lru-cache'
import * as v from 'valibot'
import { etagOf } from '../../../http/negotiation.ts'
import { PictureThread } from '../../../picture-thread.ts'
import { drawLinkPicture, type PicturedIsland } from './draw-link-picture.ts'

/** What picture-worker.ts sends. */
const Answer = v.object({ png: v.instance(Uint8Array) })

/** A picture has some 125 kB. */
const cacheMaxBytes = 12 * 1024 * 1024

/** Link pictures as PNG: the last ones from memory, new ones by a thread. */
export class LinkPictures {
  readonly #known = new LRUCache<string, Uint8Array>({
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

  /** Changes with everything that is drawn. */
  etagOf({ picture, name, kind }: PicturedIsland): string {
    return etagOf(JSON.stringify([picture, name, kind, this.#siteName]))
  }

  /** @throws DomainError `overloaded` when too many wait for theirs */
  async read(island: PicturedIsland): Promise<Uint8Array> {
    const name = this.etagOf(island)
    const known = this.#known.get(name) ?? this.#underWay.get(name)
    if (known !== undefined) return await known
    const drawn = this.#draw(island)
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
    await this.#thread.close()
  }

  async #draw(island: PicturedIsland): Promise<Uint8Array> {
    return v.parse(Answer, await this.#thread.ask(drawLinkPicture(island, this.#siteName))).png
  }
}
