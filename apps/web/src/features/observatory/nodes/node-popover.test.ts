import { expect, test } from 'vitest'
import { popoverCorner } from './node-popover.tsx'

const size = { widthPx: 1044, heightPx: 520 }

test('a popover stays inside its frame', () => {
  const popover = { widthPx: 272, heightPx: 150 }
  expect(popoverCorner({ xPx: 5, yPx: 5 }, popover, size)).toEqual({ xPx: 8, yPx: 25 })
  expect(popoverCorner({ xPx: 1040, yPx: 515 }, popover, size)).toEqual({ xPx: 764, yPx: 345 })
})
