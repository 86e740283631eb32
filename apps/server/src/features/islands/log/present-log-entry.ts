import { avatarPath } from '@astropelago/contract/avatars'
import type { LogEntry } from '@astropelago/contract/island-log'
import { isoTime } from '../../../iso-time.ts'
import { isHost, mayKnowMembers } from '../access-policy.ts'
import type { FoundIsland } from '../islands-store.ts'
import type { LogRecord } from './log-store.ts'

/** A log entry for a viewer who may enter its island. */
export function presentLogEntry(
  { id, kind, author, text, eventMs, atMs, hidden }: LogRecord,
  { island, viewer }: Pick<FoundIsland, 'island' | 'viewer'>,
): LogEntry {
  const isPost = kind === 'note' || kind === 'signal'
  const isOwn = author !== null && author.key === viewer.userKey
  const mayDelete = isPost && (isOwn || isHost(island, viewer))
  const named = isPost || mayKnowMembers(island, viewer) ? author : null
  const isHiddenShown = hidden !== null && mayDelete
  return {
    id,
    kind,
    at: isoTime(atMs),
    author: named?.username ?? null,
    authorAvatar: avatarPath(named?.avatar ?? null),
    text,
    eventAt: isoTime(eventMs),
    mayDelete,
    hidden: isHiddenShown ? { at: isoTime(hidden.atMs), reason: hidden.reason } : null,
  }
}
