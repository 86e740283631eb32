/** Unpacks, inspects and compresses pages on their own thread: 50 MB take seconds. */
import { parentPort } from 'node:worker_threads'
import * as v from 'valibot'
import { inspectPages } from './inspect-pages.ts'
import { PagesRefused, readPages } from './page-files.ts'
import { prepareFiles } from './prepare-files.ts'
import { unpackZip } from './unpack-zip.ts'

const Bytes = v.instance(Uint8Array)

const Request = v.object({
  pages: v.union([
    v.object({ zip: Bytes }),
    v.object({ files: v.array(v.object({ path: v.string(), bytes: Bytes })) }),
  ]),
  limits: v.object({
    bytes: v.number(),
    files: v.number(),
    fileBytes: v.number(),
    isPart: v.exactOptional(v.boolean()),
  }),
  inspect: v.object({
    siteName: v.string(),
    siteHosts: v.array(v.string()),
    ownHosts: v.array(v.string()),
    allowsHttps: v.boolean(),
  }),
})

async function answer(message: unknown): Promise<void> {
  const { pages, limits, inspect } = v.parse(Request, message)
  try {
    const { files, leftOut } =
      'zip' in pages
        ? await unpackZip(
            Buffer.from(pages.zip.buffer, pages.zip.byteOffset, pages.zip.length),
            limits,
          )
        : readPages(pages.files, limits, ({ bytes }, maxBytes) =>
            bytes.length > maxBytes ? undefined : bytes,
          )
    const prepared = prepareFiles(files).map((file) =>
      Object.assign(file, inspectPages([file], inspect)),
    )
    const arrays = prepared.flatMap(({ bytes, hash, gzip }) => [bytes, hash, gzip])
    const memory = new Set(arrays.map((array) => array?.buffer))
    parentPort?.postMessage(
      { files: prepared, leftOut },
      [...memory].filter((buffer) => buffer instanceof ArrayBuffer),
    )
  } catch (error) {
    if (!(error instanceof PagesRefused)) throw error
    parentPort?.postMessage({ refusal: error.message })
  }
}

parentPort?.on('message', (message: unknown) => void answer(message))
