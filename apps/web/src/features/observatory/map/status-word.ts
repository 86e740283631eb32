import { statusName } from '../nodes/status-colors.ts'

/** A status in the words of the device lists: what is neither online nor offline is unknown. */
export function statusWord(code: number | undefined): 'online' | 'offline' | 'unknown' {
  const name = statusName(code)
  return name === 'other' ? 'unknown' : name
}
