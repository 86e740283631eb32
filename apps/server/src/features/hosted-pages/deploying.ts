import { randomUUID } from 'node:crypto'
import { deploymentsPerIsland } from '@astropelago/contract/limits'
import type { Deployment } from '@astropelago/contract/hosted-pages'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'
import { KeyedQueue } from '../../keyed-queue.ts'
import { ReferenceViolation, TotalReached } from '../../storage/storage-error.ts'
import {
  chunkBytes,
  type Content,
  type DeployedFile,
  type DeploymentsStore,
} from './deployments-store.ts'
import { parseRules, rulesFile } from './page-rules.ts'
import type { PagesLimits } from './unpack/page-files.ts'
import { pathsClash } from './unpack/site-paths.ts'
import type { InspectedFile, UnpackThread } from './unpack/unpack-thread.ts'

/** So that no host fills the server alone. */
const hostShare = 0.25

/** The island whose pages a host changes. */
export interface PagesTarget {
  readonly key: number
  /** Whether nobody reviews it: its host is trusted or an operator, or it belongs to the installation. */
  readonly isTrusted: boolean
  /** Whether its pages may load pictures, fonts and data from elsewhere. */
  readonly allowsHttps: boolean
  /** Where its visitors come, with the port if the address has one. */
  readonly hosts: readonly string[]
  readonly limits: PagesLimits
}

interface Deployed {
  readonly id: string
  readonly leftOut: readonly string[]
}

export type Deploying = ReturnType<typeof createDeploying>

export function createDeploying({
  store,
  thread,
  clock,
  config,
}: {
  readonly store: DeploymentsStore
  readonly thread: Pick<UnpackThread, 'unpack' | 'prepare'>
  readonly clock: Clock
  readonly config: Pick<Config, 'pages' | 'siteName' | 'publicUrl' | 'relayDomain'>
}) {
  const { siteName, publicUrl, relayDomain, pages } = config
  const siteHosts = [
    new URL(publicUrl).hostname,
    ...(relayDomain === undefined ? [] : [relayDomain]),
  ]
  const inspectFor = ({ allowsHttps, hosts }: PagesTarget) => ({
    siteName,
    siteHosts,
    ownHosts: [...hosts],
    allowsHttps,
  })
  /** One chunk at a time, so that a heartbeat waits for at most one. */
  const chunks = new KeyedQueue<never>({ run: async () => undefined })
  /** One change of a draft at a time, because each begins with what the one before it left. */
  const drafts = new KeyedQueue<never>({ run: async () => undefined })

  const writeContent = async (content: Content, data: Uint8Array) => {
    for (let at = 0; at * chunkBytes < data.length; at += 1) {
      const chunk = data.subarray(at * chunkBytes, (at + 1) * chunkBytes)
      await chunks.alone(() => store.writeChunk(content, at, chunk))
    }
  }

  /** @throws DomainError `pages_full`, `not_found` if the island was deleted */
  const write = async <Outcome>(
    { key: islandKey }: PagesTarget,
    source: Deployment['source'],
    { added, kept = [] }: { added: readonly InspectedFile[]; kept?: readonly DeployedFile[] },
    end: (key: number) => Promise<Outcome>,
  ) => {
    const id = randomUUID()
    const files = [...kept, ...added.map(toDeployed)]
    const deployment = { id, islandKey, source, atMs: clock(), files }
    const hostBytes = pages.totalBytes * hostShare
    const begun = await store
      .begin(deployment, { totalBytes: pages.totalBytes, hostBytes })
      .catch((error: unknown) => {
        if (error instanceof TotalReached) throw new DomainError('pages_full', { cause: error })
        if (error instanceof ReferenceViolation) throw new DomainError('not_found')
        throw error
      })
    if (begun === undefined) {
      throw refused(`The pages of all your islands have at most ${megabytes(hostBytes)} together.`)
    }
    const { key, isStored } = begun
    try {
      for (const { hash, bytes, gzip } of added) {
        const plain = { islandKey, hash, isGzip: false }
        const compressed = { islandKey, hash, isGzip: true }
        if (!isStored(plain)) await writeContent(plain, bytes)
        if (gzip !== null && !isStored(compressed)) await writeContent(compressed, gzip)
      }
      return { id, outcome: await end(key) }
    } catch (error) {
      // Else it is deleted in an hour.
      await store.abandon(key).catch(() => undefined)
      throw error
    }
  }

  const publishKey = (target: PagesTarget) => (key: number) =>
    store.publish(key, { atMs: clock(), kept: deploymentsPerIsland, isTrusted: target.isTrusted })

  /** What the draft has, or would begin with. */
  const readBase = async (islandKey: number): Promise<readonly DeployedFile[]> => {
    const deployments = await store.list(islandKey)
    const base =
      deployments.find(({ state }) => state === 'draft') ?? deployments.find(({ isLive }) => isLive)
    return base === undefined ? [] : await store.listFiles(base.key)
  }

  const readRulesOf = async (islandKey: number, files: readonly DeployedFile[]) => {
    const file = files.find(({ path }) => path === rulesFile)
    if (file === undefined) return undefined
    // One that is longer than its first chunk is refused for that.
    const first = await store.readChunk({ islandKey, hash: file.hash, isGzip: false }, 0)
    return first ?? new Uint8Array()
  }

  const writeDraft = async (
    target: PagesTarget,
    removed: ReadonlySet<string>,
    added: readonly InspectedFile[],
  ) => {
    const replaced = new Set([...removed, ...added.map(({ path }) => path)])
    const base = await readBase(target.key)
    const kept = base.filter(({ path }) => !replaced.has(path))
    checkLimits(target.limits, [...kept, ...added.map(toDeployed)])
    await write(target, 'editor', { added, kept }, (key) => store.becomeDraft(key))
  }

  return {
    /** @throws DomainError `pages_refused`, `pages_full`, `overloaded`, `not_found` */
    deployZip: async (target: PagesTarget, zip: Buffer): Promise<Deployed> => {
      const inspect = inspectFor(target)
      const { files, leftOut } = await thread.unpack({ zip, limits: target.limits, inspect })
      checkRules(files.find(({ path }) => path === rulesFile)?.bytes)
      const { id } = await write(target, 'upload', { added: files }, publishKey(target))
      return { id, leftOut }
    },
    /** @throws as `deployZip` */
    deployTemplate: async (
      target: PagesTarget,
      template: readonly { readonly path: string; readonly bytes: Uint8Array }[],
    ): Promise<Deployed> => {
      const inspect = inspectFor(target)
      const { limits } = target
      const { files } = await thread.prepare({ files: template, limits, inspect })
      const { id } = await write(target, 'template', { added: files }, publishKey(target))
      return { id, leftOut: [] }
    },
    /** @throws as `deployZip` */
    changeDraft: (
      target: PagesTarget,
      changes: readonly { readonly path: string; readonly text: string | null }[],
    ): Promise<void> =>
      drafts.alone(async () => {
        const removed = new Set(changes.flatMap(({ path, text }) => (text === null ? [path] : [])))
        const written = changes.flatMap(({ path, text }) =>
          text === null ? [] : [{ path, bytes: Buffer.from(text) }],
        )
        const limits = { ...target.limits, isPart: true }
        const asked = { files: written, limits, inspect: inspectFor(target) }
        const prepared = written.length === 0 ? [] : (await thread.prepare(asked)).files
        await writeDraft(target, removed, prepared)
      }),
    /** @throws as `deployZip` */
    addToDraft: async (target: PagesTarget, zip: Buffer): Promise<void> => {
      const inspect = inspectFor(target)
      const limits = { ...target.limits, isPart: true }
      const { files } = await thread.unpack({ zip, limits, inspect })
      await drafts.alone(() => writeDraft(target, new Set(), files))
    },
    /** @throws DomainError `not_found` without a draft; as `deployZip` */
    publishDraft: (target: PagesTarget): Promise<Deployed> =>
      drafts.alone(async () => {
        const draft = (await store.list(target.key)).find(({ state }) => state === 'draft')
        if (draft === undefined) throw new DomainError('not_found')
        const kept = await store.listFiles(draft.key)
        if (!kept.some(({ path }) => path === 'index.html')) {
          throw refused('These pages need a file “index.html”, which visitors see first.')
        }
        checkRules(await readRulesOf(target.key, kept))
        const { id } = await write(target, draft.source, { added: [], kept }, publishKey(target))
        await store.removeDraft(target.key)
        return { id, leftOut: [] }
      }),
  }
}

function toDeployed({ bytes, gzip, ...file }: InspectedFile): DeployedFile {
  return { ...file, bytes: bytes.length, gzipBytes: gzip?.length ?? null }
}

/** @throws DomainError `pages_refused` */
function checkLimits(limits: PagesLimits, files: readonly DeployedFile[]): void {
  if (files.length > limits.files) {
    throw refused(`Pages have at most ${limits.files} files; these are ${files.length}.`)
  }
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  if (bytes > limits.bytes) {
    throw refused(`Pages have at most ${megabytes(limits.bytes)} in all.`)
  }
  const clash = pathsClash(files.map(({ path }) => path))
  if (clash !== undefined) throw refused(clash)
}

/** @throws DomainError `pages_refused` */
function checkRules(bytes: Uint8Array | undefined): void {
  const rules = bytes === undefined ? undefined : parseRules(bytes)
  if (typeof rules === 'string') throw refused(rules)
}

function refused(sentence: string): DomainError {
  return new DomainError('pages_refused', { fields: { files: sentence } })
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 100_000) / 10} MB`
}
