import { expect, test } from 'vitest'
import { actionOfKey, spokenCamera, spokenNode, spokenRegion } from './globe-keyboard.ts'

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

test.each(['ctrlKey', 'metaKey', 'altKey'])('with %s a key is the browser’s own', (modifier) => {
  for (const key of ['+', '-', 'ArrowLeft', 'n', 'Home']) {
    expect(actionOfKey({ ...plain, key, [modifier]: true })).toBeUndefined()
  }
})

const node = {
  id: 'a',
  name: 'Harbour Pi',
  status: 'online',
  link: 'https://harbour.example/',
  latDeg: 48.2082,
  lonDeg: -16.3738,
} as const

test('a listener hears a node’s name, status, place, where in the row it is, and what Enter does', () => {
  expect(spokenNode(node, { position: 3, total: 12 })).toBe(
    'Harbour Pi, online, 48.2°N, 16.4°W. 3 of 12 in sight. Enter opens its link.',
  )
  expect(spokenNode({ ...node, link: '' }, { position: 1, total: 1 })).toMatch(
    /Enter selects it\.$/,
  )
})

test('a listener hears where the globe has come to rest', () => {
  expect(spokenCamera({ view: 'earth', zoom: 1.1, yawDeg: -180, pitchDeg: -0.04 })).toBe(
    '0°, 180°, zoom 1.1.',
  )
})

test('a listener hears a region’s bounds', () => {
  expect(spokenRegion({ latBand: 2, lonBand: 10 })).toBe(
    'Region 30°S to 0°, 120°E to 150°E selected.',
  )
})
