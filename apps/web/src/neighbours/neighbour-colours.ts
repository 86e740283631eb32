import { neighbourColours } from '@astropelago/contract/limits'

/** Apart from each other, and from the colours of status and islands. The name is always beside them. */
export const neighbourColors = [
  '#fbbf24',
  '#f472b6',
  '#a3e635',
  '#60a5fa',
  '#fb923c',
  '#e879f9',
  '#34d399',
  '#f87171',
] as const

/** The index of a neighbour's colour, whatever number the server sends. */
export function colourIndex(colour: number): number {
  return Math.abs(Math.trunc(colour)) % neighbourColours || 0
}

export function neighbourColor(colour: number): string {
  return neighbourColors[colourIndex(colour)] ?? neighbourColors[0]
}
