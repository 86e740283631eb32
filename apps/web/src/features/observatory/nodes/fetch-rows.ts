import { listPublicDevices } from '@astropelago/contract/devices'
import type { ListSize } from './worker-messages.ts'

export interface FetchedRows {
  readonly rows: readonly unknown[]
  readonly size: ListSize
  /** The ETag: the place in the feed's order from which it is. */
  readonly sequence: string | null
}

/** Longer than any answer of a healthy server, so that a silent one counts as no answer. */
const answerTimeoutMs = 30_000

/**
 * The public list as it came, its rows unjudged; undefined where it is still the one with this ETag.
 * Cookies stay at home, and so large a list stays out of the browser's cache: the ETag does its work.
 */
export async function fetchRows(knownEtag: string | null): Promise<FetchedRows | undefined> {
  const response = await fetch(listPublicDevices.path, {
    credentials: 'omit',
    cache: 'no-store',
    headers: knownEtag === null ? {} : { 'If-None-Match': knownEtag },
    signal: AbortSignal.timeout(answerTimeoutMs),
  })
  if (response.status === 304) return undefined
  if (!response.ok) throw new Error(`The list was refused with ${response.status}`)
  const rows: unknown = await response.json()
  if (!Array.isArray(rows)) throw new Error('The list is not an array')
  const total = Number(response.headers.get('x-total-count') ?? Number.NaN)
  return {
    rows,
    size: { listed: rows.length, total: Number.isInteger(total) ? total : rows.length },
    sequence: response.headers.get('etag'),
  }
}
