import { expect, test } from 'vitest'
import { actionOfKey, spokenCamera, spokenRegion } from './globe-keyboard.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false }

test.each([
  ['ArrowLeft', 'turn-west'],
  ['+', 'zoom-in'],
  ['=', 'zoom-in'],
  ['-', 'zoom-out'],
  ['N', 'next-node'],
  ['p', 'previous-node'],
  ['Home', 'reset'],
  ['Enter', 'open'],
  ['Escape', 'leave'],
  ['Tab', undefined],
  ['PageDown', undefined],
  ['toString', undefined],
])('%s means %s', (key, action) => {
  expect(actionOfKey({ ...plain, key })).toBe(action)
})

test.each(['ctrlKey', 'metaKey', 'altKey'])('with %s a key belongs to the browser', (modifier) => {
  for (const key of ['+', '-', 'ArrowLeft', 'n', 'Home']) {
    expect(actionOfKey({ ...plain, key, [modifier]: true })).toBeUndefined()
  }
})

test('screen readers announce where the globe has come to rest', () => {
  expect(spokenCamera({ view: 'earth', zoom: 1.1, yawDeg: -180, pitchDeg: -0.04 })).toBe(
    '0°, 180°, zoom 1.1.',
  )
})

test('screen readers announce a region’s bounds', () => {
  expect(spokenRegion({ latBand: 2, lonBand: 10 })).toBe(
    'Region 30°S to 0°, 120°E to 150°E selected.',
  )
})
