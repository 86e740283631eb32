import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { FeedSequence, isUpTo, listEtag, readListEtag, readSequence, sequenceAt } from './feed.ts'

// Epochs are base64url, so they may contain the separator before the number.
const position = fc.record({
  epoch: fc.stringMatching(/^[\w-]{1,8}$/),
  number: fc.nat(Number('9'.repeat(15))),
})

test('a position is read back from its sequence, and from the ETag with it, weak or not', () => {
  fc.assert(
    fc.property(position, (at) => {
      const sequence = sequenceAt(at)
      expect(v.is(FeedSequence, sequence)).toBe(true)
      expect(readSequence(sequence)).toEqual(at)
      expect(readListEtag(listEtag(sequence))).toEqual(at)
      expect(readListEtag(`W/${listEtag(sequence)}`)).toEqual(at)
    }),
  )
})

describe('is no sequence, for the schema as for the reader:', () => {
  test.each(['', 'e', 'e-', '-1', 'e-01', 'e-1.0', 'e-1e0', 'e-1 ', ' e-1', 'e 1-1', '"e-1"'])(
    '%j',
    (text) => {
      expect(readSequence(text)).toBeUndefined()
      expect(v.is(FeedSequence, text)).toBe(false)
    },
  )

  test('a number that can’t be counted exactly', () => {
    expect(readSequence(`e-${'9'.repeat(16)}`)).toBeUndefined()
  })
})

test.each([null, '', 'e-1', '"33a64df5"', 'W/e-1', '"e-1'])(
  'an ETag without a sequence, such as %j, has no position',
  (etag) => {
    expect(readListEtag(etag)).toBeUndefined()
  },
)

test('who has a number has all up to it, in the same epoch alone', () => {
  const at = { epoch: 'e', number: 3 }
  expect(isUpTo(at, { epoch: 'e', number: 3 })).toBe(true)
  expect(isUpTo(at, { epoch: 'e', number: 2 })).toBe(true)
  expect(isUpTo(at, { epoch: 'e', number: 4 })).toBe(false)
  expect(isUpTo(at, { epoch: 'f', number: 2 })).toBe(false)
})
