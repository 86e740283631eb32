import type { GlobeCamera } from '../globe/globe-camera.ts'
import type { Region } from '../globe/region.ts'
import type { NodeSummary } from './node-summary.ts'
import { placeText } from './place-text.ts'
import { regionBounds } from './region-bounds.ts'

/** What a screen reader hears of the node that the keyboard has come to. */
export function spokenNode(
  node: NodeSummary,
  { position, total }: { readonly position: number; readonly total: number },
): string {
  const opens = node.link === '' ? 'Enter selects it.' : 'Enter opens its link.'
  const count = `${position} of ${total} in sight.`
  return `${node.label}, ${node.status}, ${placeText(node)}. ${count} ${opens}`
}

export function spokenRegion(region: Region): string {
  return `Region ${regionBounds(region)} selected.`
}

/** The middle of the picture, and how near it is. */
export function spokenCamera({ yawDeg, pitchDeg, zoom }: GlobeCamera): string {
  return `${placeText({ latDeg: pitchDeg, lonDeg: yawDeg })}, zoom ${zoom.toFixed(1)}.`
}
