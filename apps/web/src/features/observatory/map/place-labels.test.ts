import { expect, test } from 'vitest'
import { placeLabels } from './place-labels.ts'

const box = (leftPx: number, topPx: number) => ({ leftPx, topPx, widthPx: 50, heightPx: 10 })

test('a label gives way to one before it, and to every marker', () => {
  const labels = [box(0, 0), box(20, 5), box(100, 0), box(0, 20)]
  expect(placeLabels(labels, [box(120, 5)])).toEqual([true, false, false, true])
})
