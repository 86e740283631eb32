import { BlockedAddress, Suspicion } from '@astropelago/contract/hosted-pages'
import * as v from 'valibot'
import { DomainError } from '../../../domain-error.ts'
import { WorkThread } from '../../../work-thread.ts'
import type { InspectOptions, Inspection } from './inspect-pages.ts'
import type { PageFile, PagesLimits } from './page-files.ts'
import type { PreparedFile } from './prepare-files.ts'

const timeLimitMs = 60_000
/** Each one that waits holds a zip of up to 50 MB in memory. */
const waitingMax = 4

interface UnpackOptions {
  readonly limits: PagesLimits
  readonly inspect: InspectOptions
}

export type InspectedFile = PreparedFile & Inspection

interface Unpacked {
  readonly files: readonly InspectedFile[]
  /** Files and folders that don't belong to a deployment. */
  readonly leftOut: readonly string[]
}

const Bytes = v.instance(Uint8Array)

/** A message from unpack-worker.ts. */
const Answer = v.union([
  v.object({
    files: v.array(
      v.object({
        path: v.string(),
        bytes: Bytes,
        hash: Bytes,
        gzip: v.nullable(Bytes),
        blocked: v.array(BlockedAddress),
        suspicion: v.nullable(Suspicion),
      }),
    ),
    leftOut: v.array(v.string()),
  }),
  v.object({ refusal: v.string() }),
])

/** Makes deployments, one at a time. */
export class UnpackThread {
  readonly #thread = new WorkThread({
    file: new URL('./unpack-worker.ts', import.meta.url),
    name: 'unpack',
    waitingMax,
    rest: 0,
    timeLimitMs,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })

  /**
   * Takes the zip's memory with it: the caller's buffer is empty afterwards.
   * @throws DomainError `pages_refused`, `overloaded`
   */
  async unpack({ zip, ...options }: UnpackOptions & { readonly zip: Buffer }): Promise<Unpacked> {
    const { buffer } = zip
    const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === zip.length
    // A small buffer is a part of memory that others use too, so it is copied.
    return await this.#ask({ pages: { zip }, ...options }, isWhole ? [buffer] : [])
  }

  /** The same for files from an editor or a template, which are copied. */
  async prepare({
    files,
    ...options
  }: UnpackOptions & { readonly files: readonly PageFile[] }): Promise<Unpacked> {
    return await this.#ask({ pages: { files }, ...options }, [])
  }

  async close(): Promise<void> {
    await this.#thread.close()
  }

  async #ask(message: unknown, transfer: readonly ArrayBuffer[]): Promise<Unpacked> {
    const answer = v.parse(Answer, await this.#thread.ask(message, transfer))
    if ('refusal' in answer) {
      throw new DomainError('pages_refused', { fields: { files: answer.refusal } })
    }
    return answer
  }
}
