import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DirectoryOrder, type DirectoryEntry, type DirectoryPlace } from './directory-order.ts'

const entry = fc.record({
  key: fc.integer({ min: 0, max: 30 }),
  kind: fc.constantFrom('social', 'media', 'lab'),
  access: fc.constantFrom('public', 'members', 'invited'),
  isOpen: fc.boolean(),
  // Few values, so that many are published at the same time.
  publishedMs: fc.integer({ min: 0, max: 4 }),
})
const act = fc.oneof(
  { weight: 3, arbitrary: entry.map((added) => ({ added })) },
  fc.integer({ min: 0, max: 30 }).map((removed) => ({ removed })),
)
const filter = fc.record({
  kind: fc.constantFrom('social', 'media', 'lab', undefined),
  isOpenOnly: fc.boolean(),
  isPublicOnly: fc.boolean(),
})

const byAge = (a: DirectoryEntry, b: DirectoryEntry) =>
  b.publishedMs - a.publishedMs || (a.id < b.id ? -1 : 1)

test('pages list what matches in order, whatever was added, changed and removed before', () => {
  fc.assert(
    fc.property(
      fc.array(act, { maxLength: 80 }),
      filter,
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom('newest', 'openFirst'),
      (acts, wanted, length, sort) => {
        const order = new DirectoryOrder()
        const model = new Map<number, DirectoryEntry>()
        for (const one of acts) {
          const key = 'added' in one ? one.added.key : one.removed
          const before = model.get(key)
          if (before !== undefined) order.remove(before)
          model.delete(key)
          if (!('added' in one)) continue
          // Ids do not sort like keys.
          const added = { ...one.added, id: `id-${(key * 7) % 31}` }
          order.add(added)
          model.set(key, added)
        }
        const fitting = [...model.values()].filter(
          ({ kind, isOpen, access }) =>
            (wanted.kind === undefined || kind === wanted.kind) &&
            (isOpen || !wanted.isOpenOnly) &&
            (access === 'public' || !wanted.isPublicOnly),
        )
        const sorted = fitting.toSorted(
          (a, b) => (sort === 'newest' ? 0 : Number(b.isOpen) - Number(a.isOpen)) || byAge(a, b),
        )
        const keys: number[] = []
        let after: DirectoryPlace | undefined
        do {
          const page = order[sort](wanted, after, length)
          expect(page.keys.length).toBeLessThanOrEqual(length)
          keys.push(...page.keys)
          after = page.next
        } while (after !== undefined)
        expect(keys).toEqual(sorted.map(({ key }) => key))
        expect(order.count(wanted)).toBe(sorted.length)
      },
    ),
  )
})
