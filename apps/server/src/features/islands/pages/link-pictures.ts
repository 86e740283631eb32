import type { IslandCard, IslandKind } from '@astropelago/contract/islands'
import { drawIsland } from '@astropelago/island-picture/island-picture'
import { seededRandom, seedOf } from '@astropelago/island-picture/seeded-random'
import { LRUCache } from 'lru-cache'
import * as v from 'valibot'
import { markup, trusted, type Markup } from '../../../http/markup.ts'
import { etagOf } from '../../../http/negotiation.ts'
import { WorkThread } from '../../../work-thread.ts'
import { kindNames } from './kind-names.ts'

type PicturedIsland = Pick<IslandCard, 'picture' | 'name' | 'kind'>

/** A message from picture-worker.ts. */
const Answer = v.object({ png: v.instance(Uint8Array) })

/** One picture takes about 125 kB. */
const cacheMaxBytes = 12 * 1024 * 1024

/** Recent ones are cached, new ones are drawn on a thread. */
export class LinkPictures {
  readonly #pictures = new LRUCache<string, Uint8Array, PicturedIsland>({
    maxSize: cacheMaxBytes,
    sizeCalculation: ({ length }) => length,
    // A picture that lost its place while it was drawn is still sent.
    ignoreFetchAbort: true,
    fetchMethod: (_name, _stale, { context }) => this.#draw(context),
  })
  readonly #thread = new WorkThread({
    file: new URL('./picture-worker.ts', import.meta.url),
    name: 'link-pictures',
    waitingMax: 20,
    rest: 2,
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
    return await this.#pictures.forceFetch(this.etagOf(island), { context: island })
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }

  async #draw(island: PicturedIsland): Promise<Uint8Array> {
    return v.parse(Answer, await this.#thread.ask(drawLinkPicture(island, this.#siteName))).png
  }
}

/** The size of pictures in link previews, see https://ogp.me. Chats show this one in full. */
export const linkPictureSize = { width: 1200, height: 630 } as const

// Family names as the files in fonts/ declare them.
const displayFont = 'Space Grotesk SemiBold'
const textFont = 'Inter Medium'

/** Letters that those files have. All others would be drawn as boxes. */
const drawable =
  /^[\u0020-\u007e\u00a0-\u024f\u0386-\u03ce\u0400-\u045f\u2013-\u201e\u2026\u20ac]+$/u

/** A longer name of the installation gets smaller letters, or it would reach into the picture. */
const shortNameLength = 24

export function drawLinkPicture({ picture, name, kind }: PicturedIsland, siteName: string): string {
  const { width, height } = linkPictureSize
  const { lines, size } = wrap(drawable.test(name) ? name : '')
  const lineHeight = size * 1.14
  const top = 330 - ((lines.length - 1) * lineHeight) / 2
  const title = lines.map(
    (line, index) =>
      markup`<text x="72" y="${top + index * lineHeight}" font-family="${displayFont}" font-size="${size}" letter-spacing="-1.5" fill="#e8edf7">${line}</text>`,
  )
  return String(markup`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
<defs><radialGradient id="glow" cx="71%" cy="52%" r="52%"><stop offset="0" stop-color="#a78bfa" stop-opacity=".3"/><stop offset="1" stop-color="#a78bfa" stop-opacity="0"/></radialGradient></defs>
<rect width="${width}" height="${height}" fill="#05070f"/>
${drawStars(picture)}
<rect width="${width}" height="${height}" fill="url(#glow)"/>
<g transform="translate(548 24) scale(3.15)" fill="none" stroke-linecap="round" stroke-linejoin="round">${trusted(islandPaths(picture, kind))}</g>
<text x="72" y="${top - size - 22}" font-family="${textFont}" font-size="30" fill="#c4b5fd">${kindNames[kind]}</text>
${title}
<text x="72" y="566" font-family="${displayFont}" font-size="${siteName.length > shortNameLength ? 20 : 30}" fill="#94a3b8">${drawable.test(siteName) ? siteName : ''}</text>
</svg>`)
}

export function islandPaths(picture: number, kind: IslandKind): string {
  return drawIsland(picture, kind)
    .map(({ d, fill, stroke, strokeWidth }) => {
      const filled = fill === undefined ? '' : ` fill="${fill}"`
      const stroked =
        stroke === undefined ? '' : ` stroke="${stroke}" stroke-width="${strokeWidth ?? 1}"`
      return `<path d="${d}"${filled}${stroked}/>`
    })
    .join('')
}

function drawStars(picture: number): Markup {
  const random = seededRandom(seedOf(`sky of ${picture}`))
  const stars = Array.from({ length: 90 }, () => {
    const [x, y] = [random.whole(0, linkPictureSize.width), random.whole(0, linkPictureSize.height)]
    return markup`<circle cx="${x}" cy="${y}" r="${random.between(0.6, 1.7).toFixed(1)}" fill-opacity="${random.between(0.2, 0.7).toFixed(2)}"/>`
  })
  return markup`<g fill="#e8edf7">${stars}</g>`
}

/** Breaks a name into as few and as large lines as fit into the left half. */
function wrap(name: string): { readonly lines: readonly string[]; readonly size: number } {
  const styles = [
    { size: 76, perLine: 13, most: 2 },
    { size: 60, perLine: 16, most: 3 },
    { size: 46, perLine: 21, most: 8 },
  ]
  for (const { size, perLine, most } of styles) {
    const lines = linesOf(name, perLine)
    if (lines.length <= most) return { lines, size }
  }
  return { lines: [], size: 46 }
}

function linesOf(name: string, perLine: number): string[] {
  const pieces = name
    .split(' ')
    .flatMap((word) => word.match(new RegExp(`.{1,${perLine}}`, 'gu')) ?? [])
  const lines: string[] = []
  for (const piece of pieces) {
    const longer = `${lines.at(-1) ?? ''} ${piece}`.trim()
    if (lines.length > 0 && longer.length <= perLine) lines[lines.length - 1] = longer
    else lines.push(piece)
  }
  return lines
}
