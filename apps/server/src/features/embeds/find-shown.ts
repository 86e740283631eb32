import type { Uptime } from '@astropelago/contract/history'
import { DomainError } from '../../domain-error.ts'

/** A device that everybody may know of. */
export interface ShownDevice {
  readonly device: { readonly key: number; readonly id: string; readonly label: string }
  readonly publicSinceMs: number | null
}

/** An island that everybody may know of, with the public part of its history. */
export interface ShownIsland {
  readonly key: number
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly isOpen: boolean
  readonly isPaused: boolean
  readonly readUptimes: () => Promise<readonly Uptime[]>
  /** When it opened and closed, newest first, and since when that is public. */
  readonly readOpenings: (limit: number) => Promise<{
    readonly sinceMs: number
    readonly openings: readonly { readonly kind: 'open' | 'closed'; readonly atMs: number }[]
  }>
}

/** @throws DomainError `not_found` */
export type FindDevice = (id: string) => Promise<ShownDevice>
/**
 * Finds an island by its current slug or a former one.
 * @throws DomainError `not_found`
 */
export type FindIsland = (slug: string) => Promise<ShownIsland>

export function orNotFound<Found>(
  find: (name: string) => Promise<Found | undefined>,
): (name: string) => Promise<Found> {
  return async (name) => {
    const found = await find(name)
    if (found === undefined) throw new DomainError('not_found')
    return found
  }
}
