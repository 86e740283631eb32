import { hash, randomBytes } from 'node:crypto'

const secretBytes = 32
const pattern = /^[A-Za-z0-9_-]{43}$/

/** A new session token: 256 random bits. */
export function makeSessionToken(): string {
  return randomBytes(secretBytes).toString('base64url')
}

export function isSessionToken(text: string): boolean {
  return pattern.test(text)
}

/** What is stored. A token is random, so a plain hash is as good as a slow one. */
export function hashSessionToken(token: string): Uint8Array {
  return hash('sha256', token, 'buffer')
}
