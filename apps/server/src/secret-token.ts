import { hash, randomBytes } from 'node:crypto'

const secretBytes = 32

/** A secret that authenticates its bearer: 256 random bits after a prefix that tells its kind. */
export function makeToken(prefix = ''): string {
  return prefix + randomBytes(secretBytes).toString('base64url')
}

/** The stored form. A token is random, so a plain hash is as good as a slow one. */
export function hashToken(token: string): Uint8Array {
  return hash('sha256', token, 'buffer')
}

/** A hash as the key of a Map, in the text form that is fastest to make. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
