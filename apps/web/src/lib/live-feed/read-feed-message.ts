import { FeedMessage } from '@astropelago/contract/feed'
import * as v from 'valibot'
import type { FeedChange } from './feed-changes.ts'
import { readPosition } from './feed-position.ts'

/** Undefined for what is none of ours; a whole list comes only to who has no sequence, and we have. */
export function readFeedMessage(text: string): FeedChange | 'reload' | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), FeedMessage), text)
  if (!parsed.success || Array.isArray(parsed.output)) return undefined
  const message = parsed.output
  if (message.type === 'reload') return 'reload'
  const position = readPosition(message.sequence)
  if (position === undefined) return undefined
  const { id } = message.payload
  return { position, id, device: message.type === 'device' ? message.payload : undefined }
}
