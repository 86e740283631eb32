import { setImmediate as otherWork } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'
import { listEtag } from '@astropelago/contract/feed'
import { acceptsEncoding } from '../../../http/negotiation.ts'
import type { RecordPages } from './record-pages.ts'

export type ListEncoding = 'gzip' | 'zstd'
const bestFirst: readonly ListEncoding[] = ['zstd', 'gzip']

// Measured on the JSON of 100,000 devices (13.3 MB). zstd 1: 90 ms, 3.6 MB. zstd 3: twice as long. gzip
// 1: 270 ms, 4.1 MB. gzip 6: twice as long, 3.8 MB. Brotli 4: 330 ms, 3.7 MB.
const gzipLevel = 1
const zstdLevel = 1
/** A list up to this size is compressed again at once when a device is withdrawn from it. */
const cheapBytes = 1 << 20

const recordsPerTurn = 2000

const comma = ','.charCodeAt(0)
const space = ' '.charCodeAt(0)
const open = '['.charCodeAt(0)
const close = Buffer.from(']')

const compressGzip = promisify(gzip)
const compressZstd = promisify(zstdCompress)

export class PreparedList {
  /** The position in the live feed from which a client can update this list. */
  readonly sequence: string
  readonly json: Buffer
  readonly #isWorthCompressing: boolean
  readonly #encoded = new Map<ListEncoding, Promise<Buffer>>()

  constructor(sequence: string, json: Buffer, isWorthCompressing = true) {
    this.sequence = sequence
    this.json = json
    this.#isWorthCompressing = isWorthCompressing
  }

  get etag(): string {
    return listEtag(this.sequence)
  }

  encodingOf(acceptEncoding: string | undefined): ListEncoding | undefined {
    if (!this.#isWorthCompressing) return undefined
    return bestFirst.find((encoding) => acceptsEncoding(acceptEncoding, encoding))
  }

  /** Compressed once, on the thread pool, when first requested. */
  encoded(encoding: ListEncoding): Promise<Buffer> {
    const cached = this.#encoded.get(encoding)
    if (cached !== undefined) return cached
    const bytes =
      encoding === 'gzip'
        ? compressGzip(this.json, { level: gzipLevel })
        : compressZstd(this.json, { params: { [constants.ZSTD_c_compressionLevel]: zstdLevel } })
    this.#encoded.set(encoding, bytes)
    return bytes
  }

  /** A large list stays uncompressed, or a user who keeps changing a visibility could force compressions. */
  without(ids: Iterable<string>): PreparedList {
    const json = withoutDevices(this.json, ids)
    return new PreparedList(this.sequence, json, json.length <= cheapBytes)
  }
}

type JsonRecords = Pick<RecordPages, 'bytesOf' | 'copy'>

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

function joined(keys: Uint32Array, records: JsonRecords): Buffer {
  let length = 0
  for (const key of keys) {
    const bytes = records.bytesOf(key)
    if (bytes > 0) length += 1 + bytes
  }
  const part = Buffer.allocUnsafe(length)
  let at = 0
  for (const key of keys) {
    const bytes = records.bytesOf(key)
    if (bytes === 0) continue
    part[at] = comma
    records.copy(key, part, at + 1)
    at += 1 + bytes
  }
  return part
}

/** A copy, since the original may be on its way to a client. Removed records become white space. */
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
