import { Readable } from 'node:stream'
import { Zip, ZipPassThrough } from 'fflate'
import type { DeployedFile } from './deployments-store.ts'

/** Uncompressed, because compressing 50 MB would take seconds of the server's time. */
export function zipOf(
  files: readonly Pick<DeployedFile, 'path' | 'hash' | 'bytes'>[],
  open: (hash: Uint8Array, bytes: number) => AsyncIterable<Uint8Array>,
): Readable {
  return Readable.from(zipped(files, open), { objectMode: false })
}

async function* zipped(
  files: readonly Pick<DeployedFile, 'path' | 'hash' | 'bytes'>[],
  open: (hash: Uint8Array, bytes: number) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, data) => {
    if (error !== null) throw error
    ready.push(data)
  })
  for (const { path, hash, bytes } of files) {
    const entry = new ZipPassThrough(path)
    zip.add(entry)
    for await (const chunk of open(hash, bytes)) {
      entry.push(chunk)
      yield* ready.splice(0)
    }
    entry.push(new Uint8Array(), true)
  }
  zip.end()
  yield* ready
}
