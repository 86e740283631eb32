import { setImmediate as otherWork } from 'node:timers/promises'
import type { PublicDevices } from './public-devices.ts'

/** Records copied in one turn of the event loop: about 0.5 ms. */
const recordsPerTurn = 2000

const comma = ','.charCodeAt(0)
const space = ' '.charCodeAt(0)
const open = '['.charCodeAt(0)
const close = Buffer.from(']')

type JsonRecords = Pick<PublicDevices, 'jsonBytes' | 'copyJson'>

/** A JSON array of the records of these keys, in their order. Skips keys without a record. */
export async function listJson(keys: Uint32Array, records: JsonRecords): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let from = 0; from < keys.length; from += recordsPerTurn) {
    parts.push(joined(keys.subarray(from, from + recordsPerTurn), records))
    await otherWork()
  }
  const json = Buffer.concat([...parts, close])
  if (json.length === close.length) return Buffer.from('[]')
  json[0] = open
  return json
}

/** The records, with a comma before each. */
function joined(keys: Uint32Array, records: JsonRecords): Buffer {
  let length = 0
  for (const key of keys) {
    const bytes = records.jsonBytes(key)
    if (bytes > 0) length += 1 + bytes
  }
  const part = Buffer.allocUnsafe(length)
  let at = 0
  for (const key of keys) {
    const bytes = records.jsonBytes(key)
    if (bytes === 0) continue
    part[at] = comma
    records.copyJson(key, part, at + 1)
    at += 1 + bytes
  }
  return part
}

/**
 * A copy of the array without these devices, since the original may be on its way to a client. Removed
 * records become white space, so nothing has to move.
 */
export function withoutDevices(json: Buffer, ids: Iterable<string>): Buffer {
  const left = Buffer.from(json)
  for (const id of ids) {
    // Neither text can occur inside a JSON string, where a backslash precedes each quote.
    const from = left.indexOf(`{"id":${JSON.stringify(id)},`)
    if (from === -1) continue
    const statusAt = left.indexOf('"status":"', from)
    blank(left, from, left.indexOf('}', statusAt) + 1)
  }
  return left
}

/** Overwrites a record and one comma: the next one, or the previous one after the last record. */
function blank(json: Buffer, from: number, to: number): void {
  json.fill(space, from, to)
  let next = to
  while (json[next] === space) next += 1
  let before = from - 1
  while (json[before] === space) before -= 1
  if (json[next] === comma) json[next] = space
  else if (json[before] === comma) json[before] = space
}
