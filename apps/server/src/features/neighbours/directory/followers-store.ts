import type { FollowerIdentity } from './follow-requests.ts'

export interface FollowerRecord extends FollowerIdentity {
  readonly isVerified: boolean
  readonly firstMs: number
  readonly lastMs: number
}

export interface FollowersStore {
  /** An address keeps the key that it was verified with. Beyond `max`, the longest unseen are forgotten. */
  readonly note: (follower: FollowerIdentity, atMs: number, max: number) => Promise<void>
  /** Verified ones first, then the last seen. */
  readonly list: () => Promise<readonly FollowerRecord[]>
  /** One that was seen since it was last asked, and was not asked since that time. */
  readonly findUnasked: (sinceMs: number) => Promise<FollowerIdentity | undefined>
  /** @param isVerified undefined if it did not answer, which changes nothing */
  readonly recordAnswer: (
    follower: FollowerIdentity,
    isVerified: boolean | undefined,
    atMs: number,
  ) => Promise<void>
}
