import { randomUUID } from 'node:crypto'
import { hashToken, makeToken } from '../../secret-token.ts'

const deviceTokenPrefix = 'apd_'
/** Enough characters to tell two tokens apart. The rest keeps 220 bits of strength. */
const startLength = deviceTokenPrefix.length + 6

export function isDeviceToken(text: string): boolean {
  return /^apd_[\w-]{43}$/.test(text)
}

/** The secret, which can't be read again, and the record to store. */
export function makeDeviceToken() {
  const token = makeToken(deviceTokenPrefix)
  const start = token.slice(0, startLength)
  return { id: randomUUID(), token, tokenHash: hashToken(token), start }
}
