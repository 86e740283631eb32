import type { PublicKind } from '../../public-messages.ts'

/** What everybody may know about one thing. */
export interface PublicMessage {
  readonly type: PublicKind | `${PublicKind}-removed`
  /** The thing's key, to withdraw messages about it. */
  readonly key: number
  /** JSON, which is copied at once. */
  readonly payload: Uint8Array
  /** Its number in the order of all messages, if another server gave it one. */
  readonly number?: number
}

/** A message with its number in the order of all messages. */
export interface FeedMessage {
  /** Grows by one with each message. */
  readonly number: number
  readonly type: PublicMessage['type']
  readonly key: number
  readonly json: Buffer
}

/** The kind of thing that a message of any type is about. */
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

/** Makes a reader load the list again. The last message on a connection. */
export const reloadJson = Buffer.from('{"type":"reload"}')
