import { statusCodes } from '../nodes/node-columns.ts'

/** Mark colours, equal to the design tokens of the same names. A canvas can't read those. */
export const statusColors = {
  online: '#22d3ee',
  offline: '#64748b',
  other: '#94a3b8',
} as const

/** Red, green and blue, each 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number]

export function rgbOf(hex: string): Rgb {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return [part(1), part(3), part(5)]
}

export interface MarkStyle {
  readonly coreRadiusPx: number
  readonly haloRadiusPx: number
  readonly alpha: number
}

/** The styles of statusCodes, first for single nodes, then for nodes in a group: see `shownCode`. */
export type NodeStyle = readonly [...StatusStyles, ...StatusStyles]

type StatusStyles = readonly [other: MarkStyle, offline: MarkStyle, online: MarkStyle]

/** The style of a node, as an index into NodeStyle. */
export function shownCode(status: number, isGrouped: boolean): number {
  return isGrouped ? status + 3 : status
}

/** Below this radius, rings and diamonds look like discs. */
export const leastShapedRadiusPx = 2

interface Crowd {
  readonly count: number
  readonly zoom: number
  readonly skyShare: number
  readonly isGrouped: boolean
}

/** With grouping, single nodes are drawn as if there were at most this many. */
const mostAlone = 400

/**
 * Few nodes are large and have a halo; 100,000 are small grains that show density. With grouping, single
 * nodes keep their shapes, and a group's nodes are grains. The sky view has no groups.
 */
export function nodeStyle({ count, zoom, skyShare, isGrouped }: Crowd): NodeStyle {
  const near = zoom ** 0.4 * (1 - 0.25 * skyShare)
  if (!isGrouped) {
    const styles = stylesOf(count, near, skyShare)
    return [...styles, ...styles]
  }
  const alone = Math.min(count, mostAlone) ** (1 - skyShare) * count ** skyShare
  const [other, offline, online] = stylesOf(count, near, skyShare)
  return [
    ...stylesOf(alone, near, skyShare),
    grainStyle(other, count, skyShare),
    grainStyle(offline, count, skyShare),
    grainStyle(online, count, skyShare),
  ]
}

/** The radius shrinks by 1 px per factor of ten. Alpha falls once nodes are certain to overlap. */
function stylesOf(count: number, near: number, skyShare: number): StatusStyles {
  const decades = Math.log10(Math.max(1, count / 5))
  const online = Math.max(0.9, 5.2 - 0.95 * decades) * near
  const alpha = Math.min(1, Math.max(0.2, 1.9 - 0.36 * decades))
  const halo = Math.max(0, 12 - 5.5 * decades) * near * (1 + 0.5 * skyShare)
  return [
    { coreRadiusPx: online * 0.78, haloRadiusPx: 0, alpha: alpha * 0.9 },
    { coreRadiusPx: online * 0.9, haloRadiusPx: 0, alpha: alpha * 0.95 },
    { coreRadiusPx: online, haloRadiusPx: halo, alpha },
  ]
}

const grainRadiusPx = 0.9
/** From this count on, grains add up to a glow. Fainter grains keep its centre visible. */
const glowingCount = 2000

function grainStyle(
  { coreRadiusPx, haloRadiusPx, alpha }: MarkStyle,
  count: number,
  skyShare: number,
): MarkStyle {
  const faint = 0.8 * Math.min(1, (glowingCount / count) ** 0.35)
  const radius = Math.min(coreRadiusPx, grainRadiusPx)
  return {
    coreRadiusPx: radius + (coreRadiusPx - radius) * skyShare,
    haloRadiusPx: haloRadiusPx * skyShare,
    alpha: alpha * (faint + (1 - faint) * skyShare),
  }
}

export function coreRadiusOf(style: NodeStyle, status: number | undefined): number {
  if (status === statusCodes.online) return style[2].coreRadiusPx
  return (status === statusCodes.offline ? style[1] : style[0]).coreRadiusPx
}
