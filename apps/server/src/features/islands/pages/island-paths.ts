import type { IslandKind } from '@astropelago/contract/islands'
import { drawIsland } from '@astropelago/island-picture/island-picture'

/** An island's picture as SVG paths. */
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
