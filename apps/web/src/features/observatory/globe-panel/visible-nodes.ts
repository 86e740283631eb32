import type { GlobeCamera } from '../globe/globe-camera.ts'
import { along, lookDownOn } from '../globe/projection.ts'
import type { NodeColumns } from '../nodes/node-columns.ts'

interface Picture {
  readonly radiusPx: number
  readonly widthPx: number
  readonly heightPx: number
}

/** The nodes that are within the picture and not behind the globe: first those nearest its middle. */
export function visibleNodes(
  { count, unit }: NodeColumns,
  { yawDeg, pitchDeg }: GlobeCamera,
  { radiusPx, widthPx, heightPx }: Picture,
): Uint32Array {
  const axes = new Float32Array(9)
  lookDownOn(axes, pitchDeg, yawDeg)
  const farthestRight = widthPx / 2 / radiusPx
  const farthestUp = heightPx / 2 / radiusPx
  const front = new Float32Array(count)
  const visible = new Uint32Array(count)
  let found = 0
  for (let index = 0, at = 0; index < count; index++, at += 3) {
    const x = unit[at] ?? 0
    const y = unit[at + 1] ?? 0
    const z = unit[at + 2] ?? 0
    const toFront = along(axes, 6, x, y, z)
    if (toFront < 0) continue
    if (Math.abs(along(axes, 0, x, y, z)) > farthestRight) continue
    if (Math.abs(along(axes, 3, x, y, z)) > farthestUp) continue
    front[index] = toFront
    visible[found] = index
    found += 1
  }
  return visible
    .subarray(0, found)
    .toSorted((one, other) => (front[other] ?? 0) - (front[one] ?? 0) || one - other)
}
