import type { PublicKind } from '../../public-messages.ts'

/** What everybody may know of one thing. */
export interface PublicMessage {
  readonly type: PublicKind | `${PublicKind}-removed`
  /** Which one of its kind, for whoever has to take back what was told of it. */
  readonly key: number
  /** JSON, which is copied at once. */
  readonly payload: Uint8Array
  /** Its place in the order of all, where another server gave it one. */
  readonly number?: number
}

/** A message with its place in the order of all. */
export interface FeedMessage {
  /** Grows by one with each message. */
  readonly number: number
  readonly type: PublicMessage['type']
  readonly key: number
  readonly json: Buffer
}

/** What a message of any type is about. */
export function kindOf(type: `${PublicKind}${string}`): PublicKind {
  return type.startsWith('island') ? 'island' : 'device'
}

export function messageJson({ type, payload }: PublicMessage, sequence: string): Buffer {
  return Buffer.concat([
    Buffer.from(`{"type":"${type}","payload":`),
    payload,
    Buffer.from(`,"sequence":"${sequence}"}`),
  ])
}

/** Tells a reader to load the list anew; the last message of a connection. */
export const reloadJson = Buffer.from('{"type":"reload"}')
