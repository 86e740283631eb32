import { type Rgb, rgbOf } from '../drawing/node-look.ts'
import type { GlobeScene } from './globe-scene.ts'

const white: Rgb = rgbOf('#e2ecff')
const pale: Rgb = rgbOf('#86e5fa')

const starCount = 150
/** The share of the canvas by which near stars give way when the globe turns. */
const parallax = 0.045

/** Places follow the R2 sequence (Martin Roberts, 2018): even, without a pattern one could see. */
const stars = Array.from({ length: starCount }, (_, i) => ({
  x: (0.5 + i * 0.7548776662466927) % 1,
  y: (0.5 + i * 0.5698402909980532) % 1,
  depth: (i * 0.6180339887498949) % 1,
}))

/** Stars behind the planet. */
export function strokeStars(scene: GlobeScene, yawDeg: number, pitchDeg: number) {
  const { widthPx, heightPx, strokes, projection } = scene
  const { centreXPx, centreYPx, radiusPx } = projection
  const rad = Math.PI / 180
  const bareSquare = (radiusPx + 3) ** 2
  for (const { x, y, depth } of stars) {
    const near = depth * depth
    const xPx = (x - parallax * near * Math.sin(yawDeg * rad)) * widthPx
    const yPx = (y + parallax * near * Math.sin(pitchDeg * rad)) * heightPx
    if ((xPx - centreXPx) ** 2 + (yPx - centreYPx) ** 2 < bareSquare) continue
    const isBright = depth > 0.93
    strokes.disc(
      xPx,
      yPx,
      0.45 + 0.5 * near,
      isBright ? 5 : 0,
      depth % 0.1 < 0.025 ? pale : white,
      0.12 + 0.5 * near,
    )
  }
}
