import { createHash } from 'node:crypto'

/** The token of the nth device of a seeded database: always the same, so that no list is kept. */
export function benchToken(index: number): string {
  return `apd_${createHash('sha256').update(`bench ${index}`).digest('base64url')}`
}
