import type { PublicKind, PublicMessage } from '../../public-messages.ts'

export interface SentMessage extends PublicMessage {
  /** Its number in the order of all messages, if another server gave it one. */
  readonly number?: number
}

/** What the type of a message says that it is about. */
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
