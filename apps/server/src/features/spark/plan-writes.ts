import type { EntryId, EntryQuota, EntryWrite, WriteOutcome } from './key-values-store.ts'

export interface StoredState {
  readonly usageOf: (userKey: number) => EntryQuota
  readonly bytesOf: (id: EntryId) => number | undefined
}

export interface StoredEntry extends EntryId {
  readonly value: string
  readonly bytes: number
}

/** Decides a group of writes in order: which stay within the quota, and the final value of each entry. */
export function planWrites(writes: readonly EntryWrite[], quota: EntryQuota, stored: StoredState) {
  const usages = new Map<number, EntryQuota>()
  const changed = new Map<string, StoredEntry | EntryId>()

  const outcomes = writes.map((write): WriteOutcome => {
    const name = entryName(write)
    const before = changed.get(name)
    const bytesBefore = before === undefined ? stored.bytesOf(write) : bytesIn(before)
    if (write.kind === 'default' && bytesBefore !== undefined) return 'done'

    const usage = usages.get(write.userKey) ?? stored.usageOf(write.userKey)
    const after = entryAfter(write)
    const next = {
      entries: usage.entries + count(bytesIn(after)) - count(bytesBefore),
      bytes: usage.bytes + (bytesIn(after) ?? 0) - (bytesBefore ?? 0),
    }
    // A user beyond the quota can still make entries smaller.
    const isMore = next.entries > usage.entries || next.bytes > usage.bytes
    const isPast = next.entries > quota.entries || next.bytes > quota.bytes
    if (isMore && isPast) return 'quota_exceeded'

    usages.set(write.userKey, next)
    changed.set(name, after)
    return 'done'
  })

  const ends = [...changed.values()]
  return {
    outcomes,
    sets: ends.filter(isStored),
    deletes: ends.filter((end) => !isStored(end)),
  }
}

/** One text for an entry. It is JSON, because keys may contain any character. */
export function entryName({ userKey, collection, key }: EntryId): string {
  return JSON.stringify([userKey, collection, key])
}

function entryAfter(write: EntryWrite): StoredEntry | EntryId {
  const { userKey, collection, key } = write
  if (write.kind === 'delete') return { userKey, collection, key }
  return { userKey, collection, key, value: write.value, bytes: Buffer.byteLength(write.value) }
}

function isStored(end: StoredEntry | EntryId): end is StoredEntry {
  return 'value' in end
}

function bytesIn(end: StoredEntry | EntryId): number | undefined {
  return isStored(end) ? end.bytes : undefined
}

function count(bytes: number | undefined): number {
  return bytes === undefined ? 0 : 1
}
