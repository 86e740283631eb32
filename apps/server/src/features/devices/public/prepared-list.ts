import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'
import { listEtag } from '@astropelago/contract/feed'
import { acceptsEncoding } from '../../../http/negotiation.ts'
import { withoutDevices } from './list-json.ts'

export type ListEncoding = 'gzip' | 'zstd'
const bestFirst: readonly ListEncoding[] = ['zstd', 'gzip']

// Measured on the JSON of 100,000 devices (13.3 MB). zstd 1: 90 ms, 3.6 MB. zstd 3: twice as long. gzip
// 1: 270 ms, 4.1 MB. gzip 6: twice as long, 3.8 MB. Brotli 4: 330 ms, 3.7 MB.
const gzipLevel = 1
const zstdLevel = 1
/** A list up to this size is compressed again at once when a device is withdrawn from it. */
const cheapBytes = 1 << 20

const compressGzip = promisify(gzip)
const compressZstd = promisify(zstdCompress)

/** The list of public devices as sent, the same bytes for every client. */
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

  /** The encoding to send; undefined for none. */
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

  /**
   * The same list without withdrawn devices. A large list stays uncompressed until the next one is made, or
   * a user who keeps changing a device's visibility could force a compression each time.
   */
  without(ids: Iterable<string>): PreparedList {
    const json = withoutDevices(this.json, ids)
    return new PreparedList(this.sequence, json, json.length <= cheapBytes)
  }
}
