import { hash, randomBytes } from 'node:crypto'

const prefix = 'apd_'
const secretBytes = 32
/** As many characters as people need to tell two tokens apart; the rest stays 220 bits strong. */
const startLength = prefix.length + 6

/** A new device token: a prefix that secret scanners recognise, and 256 random bits. */
export function makeDeviceToken(): string {
  return prefix + randomBytes(secretBytes).toString('base64url')
}

export function deviceTokenStart(token: string): string {
  return token.slice(0, startLength)
}

/** What is stored. A token is random, so a plain hash is as good as a slow one. */
export function hashDeviceToken(token: string): Uint8Array {
  return hash('sha256', token, 'buffer')
}
