import type { FileInFolder } from './chosen-files.ts'

/** Formats that are compressed already. */
const packed = /\.(?:avif|gif|jpe?g|m4a|mp[34]|ogg|opus|png|web[mp]|woff2?|zip)$/i

interface PackOptions {
  readonly signal: AbortSignal
  /** Called with the number of files that are packed. */
  readonly onPacked: (count: number) => void
}

/** Makes a zip of files. @throws the signal's AbortError, DOMException if a file can't be read */
export async function packFolder(
  files: readonly FileInFolder[],
  { signal, onPacked }: PackOptions,
): Promise<Blob> {
  const { Zip, ZipDeflate, ZipPassThrough } = await import('fflate')
  const parts: Uint8Array<ArrayBuffer>[] = []
  const { promise, resolve, reject } = Promise.withResolvers<Blob>()
  const zip = new Zip((error, part, isLast) => {
    if (error) {
      reject(error)
      return
    }
    parts.push(part)
    if (isLast) resolve(new Blob(parts, { type: 'application/zip' }))
  })
  for (const [index, { path, file }] of files.entries()) {
    const bytes = new Uint8Array(await file.arrayBuffer())
    signal.throwIfAborted()
    const entry = packed.test(path) ? new ZipPassThrough(path) : new ZipDeflate(path)
    zip.add(entry)
    entry.push(bytes, true)
    onPacked(index + 1)
  }
  zip.end()
  return await promise
}
