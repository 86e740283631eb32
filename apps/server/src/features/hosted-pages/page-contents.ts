import { Readable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { contentType } from './unpack/content-types.ts'
import { StorageUnavailable } from '../../storage/storage-error.ts'
import {
  chunkBytes,
  type Content,
  type DeployedFile,
  type DeploymentsStore,
} from './deployments-store.ts'

/** Larger files are read from the database each time, chunk by chunk. */
const cachedMaxBytes = 2 * 1024 * 1024
/** About 200 bytes each. */
const cachedFilesMax = 100_000

/** What answers need of a file, made once: it took a quarter of a short answer. */
export interface PageFile extends Pick<DeployedFile, 'path' | 'hash' | 'bytes' | 'gzipBytes'> {
  readonly isPage: boolean
  readonly plain: Representation
  readonly gzip: Representation
}

interface Representation {
  readonly etag: string
  readonly headers: readonly string[]
}

export type PageFiles = ReadonlyMap<string, PageFile>

/** The files of deployments and their contents, which never change: memory needs no news of them. */
export class PageContents {
  readonly #store: Pick<DeploymentsStore, 'listFiles' | 'readChunk'>
  readonly #contents: LRUCache<string, Buffer, Content & { readonly bytes: number }>
  readonly #files: LRUCache<number, PageFiles>
  hits = 0
  misses = 0

  constructor(store: Pick<DeploymentsStore, 'listFiles' | 'readChunk'>, memoryBytes: number) {
    this.#store = store
    this.#contents = new LRUCache({
      maxSize: memoryBytes,
      sizeCalculation: ({ length }) => length + 1,
      fetchMethod: (_key, _stale, { context }) => this.#readAll(context),
    })
    this.#files = new LRUCache({
      maxSize: cachedFilesMax,
      sizeCalculation: ({ size }) => size + 1,
      fetchMethod: async (key) => {
        const files = await store.listFiles(key)
        return new Map(files.map((file) => [file.path, toPageFile(file)]))
      },
    })
  }

  get bytesInMemory(): number {
    return this.#contents.calculatedSize
  }

  cachedFiles(deploymentKey: number): PageFiles | undefined {
    return this.#files.get(deploymentKey)
  }

  /** By path. @throws StorageUnavailable */
  async files(deploymentKey: number): Promise<PageFiles> {
    return (await this.#files.fetch(deploymentKey)) ?? new Map()
  }

  isCacheable(bytes: number): boolean {
    return bytes <= cachedMaxBytes
  }

  cached(content: Content): Buffer | undefined {
    const found = this.#contents.get(nameOf(content))
    if (found !== undefined) this.hits += 1
    return found
  }

  /** @throws StorageUnavailable */
  async read(content: Content, bytes: number): Promise<Buffer> {
    const context = { ...content, bytes }
    if (!this.isCacheable(bytes)) return await this.#readAll(context)
    this.misses += 1
    const read = await this.#contents.fetch(nameOf(content), { context })
    return read ?? (await this.#readAll(context))
  }

  /** From a position to another, both included. */
  stream(content: Content, range: { readonly from: number; readonly to: number }): Readable {
    return Readable.from(this.#chunks(content, range), { objectMode: false })
  }

  async *#chunks(
    content: Content,
    { from, to }: { readonly from: number; readonly to: number },
  ): AsyncGenerator<Buffer> {
    for (let at = Math.floor(from / chunkBytes); at * chunkBytes <= to; at += 1) {
      const chunk = await this.#store.readChunk(content, at)
      // Deleted since its deployment was looked up.
      if (chunk === undefined) throw new StorageUnavailable('a page’s content is gone')
      const startsAt = at * chunkBytes
      yield Buffer.from(chunk).subarray(Math.max(0, from - startsAt), to - startsAt + 1)
    }
  }

  async #readAll({ bytes, ...content }: Content & { readonly bytes: number }): Promise<Buffer> {
    const chunks: Uint8Array[] = []
    for await (const chunk of this.#chunks(content, { from: 0, to: bytes - 1 })) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
}

function nameOf({ islandKey, hash, isGzip }: Content): string {
  return `${islandKey} ${isGzip ? 'g' : ''} ${Buffer.from(hash).toString('latin1')}`
}

function toPageFile({ path, hash, bytes, gzipBytes }: DeployedFile): PageFile {
  const name = Buffer.from(hash).toString('base64url').slice(0, 22)
  const type = ['content-type', contentType(path)]
  const shared = gzipBytes === null ? ['accept-ranges', 'bytes'] : ['vary', 'accept-encoding']
  const represent = (etag: string, ...more: readonly string[]) => ({
    etag,
    headers: [...type, ...shared, ...more, 'etag', etag],
  })
  return {
    path,
    hash,
    bytes,
    gzipBytes,
    isPage: /\.html?$/.test(path),
    plain: represent(`"${name}"`),
    gzip: represent(`"${name}-gzip"`, 'content-encoding', 'gzip'),
  }
}
