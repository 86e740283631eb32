import { expect, test } from 'vitest'
import { compactCount } from './compact-count.ts'
import { mapLabel } from './map-label.ts'

const id = '0f8fad5b-d9cb-469f-a165-70867728950e'

test.each([
  ['Attic', 'Attic'],
  ['Twelve chars', 'Twelve chars'],
  ['Thirteen char', 'Thirteen cha'],
  ['', '0f8fad5b'],
  ['👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀', '👩‍🚀'.repeat(12)],
])(
  'a label is cut to 12 characters, and the first 8 of the id stand in for it: %j',
  (label, text) => {
    expect(mapLabel(label, id)).toBe(text)
  },
)

test.each([
  [1, '1'],
  [999, '999'],
  [1000, '1k'],
  [1240, '1.2k'],
  [9949, '9.9k'],
  [9950, '10k'],
  [34_000, '34k'],
  [999_499, '999k'],
  [999_500, '1M'],
])('a count of %i is written %s', (count, text) => {
  expect(compactCount(count)).toBe(text)
})
