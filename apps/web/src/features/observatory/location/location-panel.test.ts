import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPlace } from '../../../lib/typed-place.ts'
import { draftOf, emptyDraft } from './location-panel.tsx'

const inRange = (max: number) => fc.double({ min: -max, max, noNaN: true }).map((deg) => deg + 0)

test('a saved location is read back from its fields as it was', () => {
  fc.assert(
    fc.property(inRange(90), inRange(180), (lat, lon) => {
      expect(readPlace(draftOf({ id: 'a', label: 'Attic', lat, lon }))).toEqual({ lat, lon })
    }),
  )
})

test('without a saved location the label is My Node, and there is nothing to save yet', () => {
  expect(draftOf(undefined)).toEqual({ label: 'My Node', lat: '', lon: '' })
  expect(readPlace(emptyDraft)).toBeUndefined()
})
