import { statusCodes } from './node-columns.ts'

/** The colours of marks, as the tokens of the same names have them; a canvas can't read those. */
export const statusColors = {
  online: '#22d3ee',
  offline: '#64748b',
  other: '#94a3b8',
} as const

/** A status code's name. */
export function statusName(code: number | undefined): keyof typeof statusCodes {
  if (code === statusCodes.online) return 'online'
  return code === statusCodes.offline ? 'offline' : 'other'
}
