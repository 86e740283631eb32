import { statusCodes } from './node-columns.ts'

/** A status code as the screens say it. */
export function statusWord(code: number | undefined): 'online' | 'offline' | 'unknown' {
  if (code === statusCodes.online) return 'online'
  return code === statusCodes.offline ? 'offline' : 'unknown'
}
