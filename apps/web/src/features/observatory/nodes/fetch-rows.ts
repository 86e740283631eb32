import { listPublicDevices } from '@astropelago/contract/devices'
import { readSequence } from '@astropelago/contract/feed'
import { listNeighbourDevices } from '@astropelago/contract/neighbours'
import * as v from 'valibot'
import { fetchAnswer } from '../../../lib/fetch-answer.ts'

export interface ListSize {
  readonly listed: number
  readonly total: number
}

/** Undefined if the list has not changed since this ETag. */
export async function fetchRows(knownEtag: string | null) {
  const { status, headers, body } = await fetchAnswer(listPublicDevices, {
    withoutCookies: true,
    knownEtag,
  })
  if (status === 304) return undefined
  if (status !== 200) throw new Error(`The list was refused with ${status}`)
  if (!Array.isArray(body)) throw new Error('The list is not an array')
  const rows: readonly unknown[] = body
  const total = Number(headers.get('x-total-count') ?? Number.NaN)
  return {
    rows,
    size: { listed: rows.length, total: Number.isInteger(total) ? total : rows.length },
    etag: headers.get('etag'),
  }
}

const NeighbourList = v.object({ sequence: v.string(), devices: v.array(v.unknown()) })

/** The devices of all neighbours; undefined if they have not changed since this ETag. */
export async function fetchNeighbourRows(knownEtag: string | null) {
  const { status, headers, body } = await fetchAnswer(listNeighbourDevices, {
    withoutCookies: true,
    knownEtag,
  })
  if (status === 304) return undefined
  if (status !== 200) throw new Error(`The list of neighbours was refused with ${status}`)
  const { sequence, devices } = v.parse(NeighbourList, body)
  return { rows: devices, position: readSequence(sequence), etag: headers.get('etag') }
}
