import {
  islandValueBytes,
  islandValueBytesPerVisitor,
  islandValueKeys,
  islandValueKeysPerVisitor,
} from '@astropelago/contract/limits'
import type { ValueId, ValueOutcome, ValueTotals, ValueWrite } from './island-values-store.ts'

export interface HeldValue {
  /** The author. */
  readonly userKey: number
  /** JSON, where it may only be created. */
  readonly value?: string | null
  readonly bytes: number
}

export type StoredValue = ValueId &
  Pick<ValueWrite, 'writer' | 'atMs'> & { readonly value: string; readonly bytes: number }

export interface ValuesState {
  readonly held: ReadonlyMap<string, HeldValue>
  /** Those that still exist. */
  readonly users: ReadonlySet<number>
  readonly ofIslands: ReadonlyMap<number, ValueTotals>
  /** By island and author. */
  readonly ofVisitors: ReadonlyMap<string, ValueTotals>
}

const nothing: ValueTotals = { keys: 0, bytes: 0 }
const islandQuota: ValueTotals = { keys: islandValueKeys, bytes: islandValueBytes }
const visitorQuota: ValueTotals = {
  keys: islandValueKeysPerVisitor,
  bytes: islandValueBytesPerVisitor,
}

/** Decides a group of writes in order: which are allowed and fit, and how each value ends. */
export function planValueWrites(writes: readonly ValueWrite[], state: ValuesState) {
  const held = new Map<string, HeldValue | undefined>(state.held)
  const ofIslands = new Map(state.ofIslands)
  const ofVisitors = new Map(state.ofVisitors)
  const ends = new Map<string, StoredValue | ValueId>()

  const outcomes = writes.map((write): ValueOutcome => {
    const { islandKey, writer, isHost } = write
    if (!state.users.has(writer.userKey)) return 'signed_out'
    const name = valueName(write)
    const before = held.get(name)
    if (before === undefined && write.kind === 'delete') return 'unchanged'
    // One whose answer was lost comes again.
    if (before !== undefined && isAgain(write, before)) return 'unchanged'
    if (before !== undefined && !mayChange(write, before)) return 'not_yours'

    const bytes = write.kind === 'delete' ? 0 : Buffer.byteLength(write.value)
    const after =
      write.kind === 'delete' ? undefined : { userKey: writer.userKey, bytes, value: write.value }
    const visitor = `${islandKey} ${writer.userKey}`
    const ofIsland = ofIslands.get(islandKey) ?? nothing
    const ofVisitor = ofVisitors.get(visitor) ?? nothing
    const nextOfIsland = change(ofIsland, before, after)
    const own = before?.userKey === writer.userKey ? before : undefined
    const nextOfVisitor = change(ofVisitor, own, after)
    if (isPast(ofIsland, nextOfIsland, islandQuota)) return 'quota_exceeded'
    if (!isHost && isPast(ofVisitor, nextOfVisitor, visitorQuota)) return 'quota_exceeded'

    ofIslands.set(islandKey, nextOfIsland)
    ofVisitors.set(visitor, nextOfVisitor)
    if (before !== undefined && own === undefined) {
      const other = `${islandKey} ${before.userKey}`
      ofVisitors.set(other, change(ofVisitors.get(other) ?? nothing, before, undefined))
    }
    held.set(name, after)
    const { store, ownerKey, key, atMs } = write
    const id = { islandKey, store, ownerKey, key }
    ends.set(
      name,
      write.kind === 'delete' ? id : { ...id, writer, atMs, value: write.value, bytes },
    )
    return 'done'
  })

  const all = [...ends.values()]
  return { outcomes, sets: all.filter(isStored), deletes: all.filter((end) => !isStored(end)) }
}

/** One text for a value. It is JSON, because keys may contain any character. */
export function valueName({ islandKey, store, ownerKey, key }: ValueId): string {
  return JSON.stringify([islandKey, store, ownerKey, key])
}

function isAgain(write: ValueWrite, { userKey, value }: HeldValue): boolean {
  return write.kind === 'set' && userKey === write.writer.userKey && value === write.value
}

function mayChange({ store, rule, writer, isHost }: ValueWrite, { userKey }: HeldValue): boolean {
  if (isHost || store === 'kv' || rule === 'anyone') return true
  return rule === 'own' && userKey === writer.userKey
}

function change(
  { keys, bytes }: ValueTotals,
  before: HeldValue | undefined,
  after: HeldValue | undefined,
): ValueTotals {
  const added = (after === undefined ? 0 : 1) - (before === undefined ? 0 : 1)
  return { keys: keys + added, bytes: bytes + (after?.bytes ?? 0) - (before?.bytes ?? 0) }
}

/** Whoever is beyond the quota can still make values smaller. */
function isPast(before: ValueTotals, after: ValueTotals, quota: ValueTotals): boolean {
  const isMore = after.keys > before.keys || after.bytes > before.bytes
  return isMore && (after.keys > quota.keys || after.bytes > quota.bytes)
}

function isStored(end: StoredValue | ValueId): end is StoredValue {
  return 'value' in end
}
