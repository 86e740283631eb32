import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EntryId, EntryQuota, EntryWrite, WriteOutcome } from './key-values-store.ts'
import { entryName, planWrites, type StoredState } from './plan-writes.ts'

/** Values by entry, as a store holds them. */
type Entries = ReadonlyMap<string, EntryId & { readonly value: string }>

const users = [1, 2]

const id = {
  userKey: fc.constantFrom(...users),
  collection: fc.constantFrom('', 'a'),
  key: fc.constantFrom('a', 'b', 'c', '["a'),
}
const value = fc.constantFrom('1', '"é"', '"👩"', '"123456"', '"1234567890"')
const write: fc.Arbitrary<EntryWrite> = fc.oneof(
  fc.record({ ...id, kind: fc.constantFrom('set', 'default'), value }),
  fc.record({ ...id, kind: fc.constant('delete') }),
)
const quota = fc.record({ entries: fc.nat(6), bytes: fc.nat(40) })
const entries: fc.Arbitrary<Entries> = fc
  .array(fc.record({ ...id, value }), { maxLength: 8 })
  .map((list) => new Map(list.map((entry) => [entryName(entry), entry])))

function bytesOf(text: string | undefined): number {
  return text === undefined ? 0 : Buffer.byteLength(text)
}

function usageOf(all: Entries, userKey: number) {
  const own = [...all.values()].filter((entry) => entry.userKey === userKey)
  return { entries: own.length, bytes: own.reduce((sum, one) => sum + bytesOf(one.value), 0) }
}

function stateOf(all: Entries): StoredState {
  return {
    usageOf: (userKey) => usageOf(all, userKey),
    bytesOf: (at) => {
      const entry = all.get(entryName(at))
      return entry && bytesOf(entry.value)
    },
  }
}

/** The entries after the planned writes. */
function carriedOut(before: Entries, writes: readonly EntryWrite[], limits: EntryQuota) {
  const { outcomes, sets, deletes } = planWrites(writes, limits, stateOf(before))
  const after = new Map(before)
  for (const entry of deletes) after.delete(entryName(entry))
  for (const { userKey, collection, key, value: text } of sets) {
    after.set(entryName({ userKey, collection, key }), { userKey, collection, key, value: text })
  }
  return { outcomes, sets, deletes, after }
}

/** The rule in its simplest form: one write after the other, each on the whole store. */
function oneByOne(before: Entries, writes: readonly EntryWrite[], limits: EntryQuota) {
  let all = new Map(before)
  const outcomes = writes.map((one): WriteOutcome => {
    const { userKey, collection, key } = one
    const name = entryName(one)
    if (one.kind === 'default' && all.has(name)) return 'done'
    const next = new Map(all)
    if (one.kind === 'delete') next.delete(name)
    else next.set(name, { userKey, collection, key, value: one.value })
    const [was, is] = [usageOf(all, userKey), usageOf(next, userKey)]
    const grows = is.entries > was.entries || is.bytes > was.bytes
    if (grows && (is.entries > limits.entries || is.bytes > limits.bytes)) return 'quota_exceeded'
    all = next
    return 'done'
  })
  return { outcomes, after: all }
}

const group = fc.array(write, { maxLength: 20 })

describe('a group of writes', () => {
  test('ends as the same writes one after the other on a map', () => {
    fc.assert(
      fc.property(entries, group, quota, (before, writes, limits) => {
        const { outcomes, after } = carriedOut(before, writes, limits)
        const expected = oneByOne(before, writes, limits)
        expect(outcomes).toEqual(expected.outcomes)
        expect(after).toEqual(expected.after)
      }),
      { numRuns: 2000 },
    )
  })

  test('S32 takes nobody past the quota, nor further past it', () => {
    fc.assert(
      fc.property(entries, group, quota, (before, writes, limits) => {
        const { after } = carriedOut(before, writes, limits)
        for (const user of users) {
          const [was, is] = [usageOf(before, user), usageOf(after, user)]
          expect(is.entries).toBeLessThanOrEqual(Math.max(was.entries, limits.entries))
          expect(is.bytes).toBeLessThanOrEqual(Math.max(was.bytes, limits.bytes))
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('touches each entry once, with the size of its value', () => {
    fc.assert(
      fc.property(entries, group, quota, (before, writes, limits) => {
        const { sets, deletes } = carriedOut(before, writes, limits)
        const names = [...sets, ...deletes].map(entryName)
        expect(new Set(names).size).toBe(names.length)
        for (const entry of sets) expect(entry.bytes).toBe(bytesOf(entry.value))
      }),
    )
  })

  test('cut in two anywhere, ends the same', () => {
    fc.assert(
      fc.property(entries, group, quota, fc.nat(20), (before, writes, limits, at) => {
        const whole = carriedOut(before, writes, limits)
        const first = carriedOut(before, writes.slice(0, at), limits)
        const second = carriedOut(first.after, writes.slice(at), limits)
        expect([...first.outcomes, ...second.outcomes]).toEqual(whole.outcomes)
        expect(second.after).toEqual(whole.after)
      }),
    )
  })
})

test('user, collection and key identify an entry without ambiguity', () => {
  const text = fc.string({ unit: fc.constantFrom('"', ',', '1', '\\'), maxLength: 3 })
  const anyId = fc.record({ userKey: fc.constantFrom(1, 11), collection: text, key: text })
  fc.assert(
    fc.property(anyId, anyId, (one, other) => {
      const isSame =
        one.userKey === other.userKey &&
        one.collection === other.collection &&
        one.key === other.key
      expect(entryName(one) === entryName(other)).toBe(isSame)
    }),
    { numRuns: 2000 },
  )
})
