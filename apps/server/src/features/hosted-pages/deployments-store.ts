import type { BlockedAddress, Deployment, Suspicion } from '@astropelago/contract/hosted-pages'
import type { Figure } from '@astropelago/contract/operator'

/** A page's contents are stored in pieces of so many bytes, so that no heartbeat waits for more than one. */
export const chunkBytes = 256 * 1024

export interface DeployedFile {
  readonly path: string
  /** SHA-256. */
  readonly hash: Uint8Array
  readonly bytes: number
  /** Null if it is not stored compressed. */
  readonly gzipBytes: number | null
  readonly blocked: readonly BlockedAddress[]
  readonly suspicion: Suspicion | null
}

/** What is stored of a file: as it is, or compressed. */
export interface Content {
  readonly islandKey: number
  readonly hash: Uint8Array
  readonly isGzip: boolean
}

export interface NewDeployment {
  readonly id: string
  readonly islandKey: number
  readonly source: Deployment['source']
  readonly atMs: number
  readonly files: readonly DeployedFile[]
}

export interface DeploymentRecord extends Omit<Deployment, 'createdAt' | 'blocked' | 'isInReview'> {
  readonly key: number
  readonly state: 'draft' | 'published'
  readonly createdMs: number
  /** The draft's last change, or since when it has been live. */
  readonly changedMs: number
  readonly suspicion: Suspicion | null
  readonly passedMs: number | null
}

export interface ReviewRecord {
  readonly deploymentId: string
  readonly createdMs: number
  readonly suspicion: Suspicion
  readonly islandId: string
  readonly slug: string
  readonly name: string
  readonly host: string | null
  readonly isListed: boolean
}

/** Whether a suspicious deployment went live, or waits for an operator because its island is listed. */
export type Published = 'live' | 'waits'

export interface DeploymentsStore {
  /**
   * Keeps its files' contents from being deleted. @returns its key, and which contents are not stored yet;
   * undefined if the pages of its host would have more than `hostBytes`
   * @throws TotalReached if all pages would have more than `totalBytes`; ReferenceViolation
   */
  readonly begin: (
    deployment: NewDeployment,
    limits: { readonly totalBytes: number; readonly hostBytes: number },
  ) => Promise<
    { readonly key: number; readonly isStored: (content: Content) => boolean } | undefined
  >
  readonly writeChunk: (content: Content, position: number, data: Uint8Array) => Promise<void>
  /** Ends what `begin` began, as the island's draft. */
  readonly becomeDraft: (key: number) => Promise<void>
  /** Ends what `begin` began, as a deployment. The newest `kept` of an island stay, and the live one. */
  readonly publish: (
    key: number,
    options: { readonly atMs: number; readonly kept: number; readonly isTrusted: boolean },
  ) => Promise<Published>
  /** Drops what `begin` began. */
  readonly abandon: (key: number) => Promise<void>
  /** False if there is none, or if it waits for an operator. */
  readonly setLive: (islandKey: number, id: string, atMs: number) => Promise<boolean>
  readonly removeDraft: (islandKey: number) => Promise<void>
  readonly removeAll: (islandKey: number) => Promise<void>
  /** The newest first, with the draft. */
  readonly list: (islandKey: number) => Promise<readonly DeploymentRecord[]>
  /** By path. */
  readonly listFiles: (deploymentKey: number) => Promise<readonly DeployedFile[]>
  /** The first ones, by path. */
  readonly listBlocked: (deploymentKey: number, limit: number) => Promise<readonly BlockedAddress[]>
  readonly readChunk: (content: Content, position: number) => Promise<Uint8Array | undefined>
  readonly totalBytes: () => Promise<number>
  /** The oldest first, without those of hidden islands. */
  readonly listInReview: (limit: number) => Promise<readonly ReviewRecord[]>
  readonly findInReview: (
    id: string,
  ) => Promise<{ readonly islandKey: number; readonly deploymentKey: number } | undefined>
  /**
   * It goes live if it waited for that, and its host has decided nothing since. False if there is no such
   * deployment in review.
   */
  readonly pass: (id: string, atMs: number) => Promise<boolean>
  /** Pending ones from before `untilMs`, whose server is gone. */
  readonly deleteAbandoned: (untilMs: number) => Promise<void>
  /** @returns how many contents no file had any more, of at most `limit` */
  readonly deleteUnused: (limit: number) => Promise<number>
  readonly figures: () => Promise<readonly Figure[]>
}
