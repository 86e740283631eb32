import { hash } from 'node:crypto'
import { extname } from 'node:path/posix'
import { constants, gzipSync } from 'node:zlib'
import type { PageFile } from './page-files.ts'

export interface PreparedFile extends PageFile {
  /** SHA-256 */
  readonly hash: Uint8Array
  /** Null if compression saves too little. */
  readonly gzip: Uint8Array | null
}

/** Other formats, such as pictures, are compressed already. */
const compressible = new Set(
  'html htm css js mjs json svg xml txt md csv wasm map webmanifest ico ttf otf'
    .split(' ')
    .map((extension) => `.${extension}`),
)

const smallMaxBytes = 512
const gzipMaxShare = 0.9

export function prepareFiles(files: readonly PageFile[]): PreparedFile[] {
  return files.map(({ path, bytes }) => ({
    path,
    bytes,
    hash: Uint8Array.from(hash('sha256', bytes, 'buffer')),
    gzip: compress(path, bytes),
  }))
}

function compress(path: string, bytes: Uint8Array): Uint8Array | null {
  if (bytes.length <= smallMaxBytes || !compressible.has(extname(path).toLowerCase())) return null
  const gzip = gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION })
  return gzip.length <= bytes.length * gzipMaxShare ? Uint8Array.from(gzip) : null
}
