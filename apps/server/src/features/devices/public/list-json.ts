import { setImmediate as otherWork } from 'node:timers/promises'

/** Records copied between two turns of other work: about 0.5 ms. */
const recordsPerTurn = 2000

const comma = ','.charCodeAt(0)
const space = ' '.charCodeAt(0)
const open = '['.charCodeAt(0)
const close = Buffer.from(']')

/** Where the JSON of each record is. */
export interface JsonRecords {
  /** 0 for a key without a record. */
  readonly jsonBytes: (key: number) => number
  readonly copyJson: (key: number, target: Buffer, at: number) => void
}

/** The JSON array of the records of these keys, in their order; keys without a record are left out. */
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

/** The records, each after a comma. */
function joined(keys: Uint32Array, { jsonBytes, copyJson }: JsonRecords): Buffer {
  let length = 0
  for (const key of keys) {
    const bytes = jsonBytes(key)
    if (bytes > 0) length += 1 + bytes
  }
  const part = Buffer.allocUnsafe(length)
  let at = 0
  for (const key of keys) {
    const bytes = jsonBytes(key)
    if (bytes === 0) continue
    part[at] = comma
    copyJson(key, part, at + 1)
    at += 1 + bytes
  }
  return part
}

/**
 * The same array without these devices, in a copy: who is being sent the old one gets all of it. What
 * goes is overwritten by white space, so nothing has to move.
 */
export function withoutDevices(json: Buffer, ids: Iterable<string>): Buffer {
  const kept = Buffer.from(json)
  for (const id of ids) {
    // Neither text occurs within a JSON string, where each quote has a backslash before it.
    const from = kept.indexOf(`{"id":${JSON.stringify(id)},`)
    if (from === -1) continue
    const statusAt = kept.indexOf('"status":"', from)
    blank(kept, from, kept.indexOf('}', statusAt) + 1)
  }
  return kept
}

/** Overwrites a record and the comma that it no longer needs: the next one, or else the one before. */
function blank(json: Buffer, from: number, to: number): void {
  json.fill(space, from, to)
  let next = to
  while (json[next] === space) next += 1
  let before = from - 1
  while (json[before] === space) before -= 1
  if (json[next] === comma) json[next] = space
  else if (json[before] === comma) json[before] = space
}
