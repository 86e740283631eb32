import { promisify } from 'node:util'
import { constants, gzip, zstdCompress } from 'node:zlib'
import { listEtag } from '@astropelago/contract/feed'
import { acceptsEncoding } from '../../../http/negotiation.ts'
import { withoutDevices } from './list-json.ts'

export type ListEncoding = 'gzip' | 'zstd'
const bestFirst: readonly ListEncoding[] = ['zstd', 'gzip']

// Measured on the JSON of 100,000 devices (13.3 MB): zstd 1 takes 90 ms to 3.6 MB, zstd 3 takes twice
// as long, gzip 1 takes 270 ms to 4.1 MB, gzip 6 twice as long to 3.8 MB, Brotli 4 330 ms to 3.7 MB.
const gzipLevel = 1
const zstdLevel = 1
/** What is this small is compressed again at once when a device has to disappear from it. */
const cheapBytes = 1 << 20

const compressGzip = promisify(gzip)
const compressZstd = promisify(zstdCompress)

/** The list of public devices as it goes over the wire, the same bytes for all who ask. */
export class PreparedList {
  /** The live feed's sequence that this list can be brought up to date from. */
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

  /** What the list is sent in; undefined for as it is. */
  encodingOf(acceptEncoding: string | undefined): ListEncoding | undefined {
    if (!this.#isWorthCompressing) return undefined
    return bestFirst.find((encoding) => acceptsEncoding(acceptEncoding, encoding))
  }

  /** Compressed once, on the thread pool, when somebody first takes that encoding. */
  encoded(encoding: ListEncoding): Promise<Buffer> {
    const known = this.#encoded.get(encoding)
    if (known !== undefined) return known
    const bytes =
      encoding === 'gzip'
        ? compressGzip(this.json, { level: gzipLevel })
        : compressZstd(this.json, {
            params: { [constants.ZSTD_c_compressionLevel]: zstdLevel },
          })
    this.#encoded.set(encoding, bytes)
    return bytes
  }

  /**
   * The same list without devices that nobody may see so any more. A large one goes uncompressed until it is
   * next made: else somebody who keeps changing a device's visibility had it compressed each time.
   */
  without(ids: Iterable<string>): PreparedList {
    const json = withoutDevices(this.json, ids)
    return new PreparedList(this.sequence, json, json.length <= cheapBytes)
  }
}
