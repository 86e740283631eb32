import { t } from '@lingui/core/macro'
import { statusNames } from '../../../ui/status-badge.tsx'
import type { Size } from '../geometry/boxes.ts'
import type { GlobeCamera } from '../globe/globe-camera.ts'
import type { Globe } from '../globe/globe.ts'
import { along, centreOn } from '../globe/projection.ts'
import { placeText } from '../globe/region.ts'
import type { NodeColumns } from '../nodes/node-columns.ts'
import { type NodeSummary, summarizeNode } from '../nodes/node-name.ts'
import type { NodeStore } from '../nodes/node-store.ts'

export type NodeWalk = ReturnType<typeof createNodeWalk>

export function createNodeWalk(globe: Globe, store: NodeStore, surface: HTMLElement) {
  let order: Uint32Array | undefined
  return {
    /** From the middle of the view outwards. It wraps around at the ends. */
    step(index: number | undefined, direction: 1 | -1) {
      order ??= visibleNodes(store.columns, globe.camera, {
        radiusPx: globe.radiusPx,
        widthPx: surface.clientWidth,
        heightPx: surface.clientHeight,
      })
      const total = order.length
      const at = index === undefined ? -1 : order.indexOf(index)
      const isOutside = at === -1
      const next = isOutside ? (direction === 1 ? 0 : total - 1) : (at + direction + total) % total
      const found = order[next]
      if (found === undefined) return undefined
      const node = summarizeNode(store.columns, found)
      return { index: found, spoken: spokenNode(node, { position: next + 1, total }) }
    },
    reset() {
      order = undefined
    },
  }
}

export function spokenNode(
  node: NodeSummary,
  { position, total }: { readonly position: number; readonly total: number },
): string {
  const { name } = node
  const status = statusNames[node.status]
  const place = placeText(node)
  const what = node.isPrivate
    ? t`${name}, ${status}, private, ${place}.`
    : t`${name}, ${status}, ${place}.`
  return `${what} ${t`${position} of ${total} in sight.`} ${spokenEnter(node)}`
}

function spokenEnter({ link, island }: NodeSummary): string {
  if (island !== undefined) {
    const { name } = island
    return t`Enter opens the island ${name}.`
  }
  if (link === '') return t`Enter selects it.`
  const { host } = new URL(link)
  return t`Enter opens ${host}.`
}

export function visibleNodes(
  { count, unit }: NodeColumns,
  { yawDeg, pitchDeg }: GlobeCamera,
  { radiusPx, widthPx, heightPx }: Size & { readonly radiusPx: number },
): Uint32Array {
  const axes = new Float32Array(9)
  centreOn(axes, pitchDeg, yawDeg)
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
