import { isUtf8 } from 'node:buffer'
import { crc32, inflateRawSync } from 'node:zlib'
import { type Entry, fromBufferPromise, getFileNameLowLevel } from 'yauzl'
import { PagesRefused, type PagesLimits, readPages, type ReadPages } from './page-files.ts'
import { shownName } from './site-paths.ts'

/** Beyond the files of a deployment: folders, and what tools add. */
const otherEntriesMax = 1000

const [encryptedFlag, utf8Flag] = [0x1, 0x800]
const [stored, deflated] = [0, 8]
const [fileType, typeMask] = [0o100000, 0o170000]

interface Packed {
  readonly path: string
  readonly entry: Entry
  readonly data: Uint8Array
  readonly end: number
}

/** Sizes that the zip declares are checked but never relied on. @throws PagesRefused */
export async function unpackZip(zip: Buffer, limits: PagesLimits): Promise<ReadPages> {
  const packed = await readEntries(zip, limits)
  refuseOverlaps(packed)
  return readPages(packed, limits, unpack)
}

async function readEntries(zip: Buffer, limits: PagesLimits): Promise<Packed[]> {
  try {
    const archive = await fromBufferPromise(zip, { decodeStrings: false })
    if (archive.entryCount > limits.files + otherEntriesMax) {
      const sentence = `This zip holds ${archive.entryCount} files and folders, and an island has at most ${limits.files} files. Leave out folders such as .git and node_modules.`
      throw new PagesRefused(sentence)
    }
    const packed: Packed[] = []
    for await (const entry of archive.eachEntry()) {
      const path = nameOf(entry)
      if (path.endsWith('/')) continue
      const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true })
      const end = fileDataStart + entry.compressedSize
      packed.push({ path, entry, data: zip.subarray(fileDataStart, end), end })
    }
    return packed
  } catch (error) {
    if (error instanceof PagesRefused) throw error
    throw broken(error)
  }
}

/** Many programs write UTF-8 without its flag. */
function nameOf({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry): string {
  const flags = generalPurposeBitFlag | (isUtf8(fileNameRaw) ? utf8Flag : 0)
  return getFileNameLowLevel(flags, fileNameRaw, extraFields, true)
}

/** Entries that share bytes make a small zip large without end. */
function refuseOverlaps(packed: readonly Packed[]): void {
  let lastEnd = 0
  const offsetOf = ({ entry }: Packed) => entry.relativeOffsetOfLocalHeader
  for (const one of packed.toSorted((a, b) => offsetOf(a) - offsetOf(b))) {
    if (offsetOf(one) < lastEnd) throw broken(new Error('two entries overlap'))
    lastEnd = one.end
  }
}

function unpack({ path, entry, data }: Packed, maxBytes: number): Uint8Array | undefined {
  const fault = faultOf(entry)
  if (fault !== undefined) throw new PagesRefused(`${shownName(path)} ${fault}`)
  const bytes = entry.compressionMethod === stored ? data : inflate(data, maxBytes)
  if (bytes === undefined || bytes.length > maxBytes) return undefined
  if (bytes.length !== entry.uncompressedSize || crc32(bytes) !== entry.crc32) {
    throw broken(new Error('a file differs from its size or checksum'))
  }
  // A copy in memory of its own, which can move to another thread.
  return Uint8Array.from(bytes)
}

function faultOf(entry: Entry): string | undefined {
  if ((entry.generalPurposeBitFlag & encryptedFlag) !== 0) {
    return 'is encrypted. Make the zip without a password.'
  }
  if (entry.compressionMethod !== stored && entry.compressionMethod !== deflated) {
    return 'is compressed in an unusual way. Make the zip with another program.'
  }
  const type = (entry.externalFileAttributes >>> 16) & typeMask
  if (type !== 0 && type !== fileType) return 'is a link or something else that is no file.'
  return undefined
}

function inflate(data: Uint8Array, maxBytes: number): Uint8Array | undefined {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(maxBytes, 1) })
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw broken(error)
  }
}

function broken(cause: unknown): PagesRefused {
  const sentence = 'This is no zip, or it is damaged or incomplete. Make it again.'
  return new PagesRefused(sentence, { cause })
}
