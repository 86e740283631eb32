import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findNode, noNodes, ownerOf, packTexts } from './node-columns.ts'

test('a node is found by its whole id and by nothing else, as a plain search would', () => {
  // Few letters, so that ids contain each other and also match across the border of two.
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 })
  fc.assert(
    fc.property(fc.uniqueArray(text), text, (ids, wanted) => {
      const found = findNode({ ...noNodes, count: ids.length, ids: packTexts(ids) }, wanted)
      const index = ids.indexOf(wanted)
      expect(found).toBe(wanted === '' || index === -1 ? undefined : index)
    }),
  )
})

test('each character belongs to the text that it was packed from', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 3 })), (texts) => {
      const column = packTexts(texts)
      const owners = texts.flatMap((each, index) =>
        Array.from({ length: each.length }, () => index),
      )
      expect(owners.map((_, position) => ownerOf(column, position))).toEqual(owners)
    }),
  )
})
