import { statusCodes } from '../nodes/node-columns.ts'

/** The colours of marks, as the tokens of the same names have them; a canvas can't read those. */
export const statusColors = {
  online: '#22d3ee',
  offline: '#64748b',
  other: '#94a3b8',
} as const

/** Red, green and blue, 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** The colour of a text such as '#22d3ee'. */
export function rgbOf(hex: string): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return [part(1), part(3), part(5)]
}

/** How the nodes of one status are drawn; lengths in CSS pixels. */
export interface MarkLook {
  readonly coreRadiusPx: number
  readonly haloRadiusPx: number
  readonly alpha: number
}

/** For each of statusCodes. */
export type NodeLook = readonly [other: MarkLook, offline: MarkLook, online: MarkLook]

/** Below this radius a ring or a diamond can't be told from a disc. */
export const leastShapedRadiusPx = 2

/**
 * Few nodes are large, with a halo; a hundred thousand are fine grains that add up to a density.
 * Each ten times as many take a pixel off the radius; alpha falls once they overlap for certain.
 */
export function nodeLook(count: number, zoom: number, skyShare: number): NodeLook {
  const decades = Math.log10(Math.max(1, count / 5))
  const near = zoom ** 0.4 * (1 - 0.25 * skyShare)
  const online = Math.max(0.9, 5.2 - 0.95 * decades) * near
  const alpha = Math.min(1, Math.max(0.2, 1.9 - 0.36 * decades))
  const halo = Math.max(0, 12 - 3 * decades) * near * (1 + 0.5 * skyShare)
  return [
    { coreRadiusPx: online * 0.72, haloRadiusPx: 0, alpha: alpha * 0.85 },
    { coreRadiusPx: online * 0.86, haloRadiusPx: 0, alpha: alpha * 0.92 },
    { coreRadiusPx: online, haloRadiusPx: halo, alpha },
  ]
}

/** Of the drawn mark of a status code. */
export function coreRadiusOf(look: NodeLook, status: number | undefined): number {
  if (status === statusCodes.online) return look[2].coreRadiusPx
  return (status === statusCodes.offline ? look[1] : look[0]).coreRadiusPx
}
