import { describe, expect, test } from 'vitest'
import { statusCodes } from './node-columns.ts'
import { readId, readNode } from './read-node.ts'

const row = { id: 'a1', label: 'Pi', lat: 48.2, lon: 16.4, status: 'online', link: null }

test('a row of the list becomes a node', () => {
  expect(readNode({ ...row, more: 'from a newer server' })).toEqual({
    id: 'a1',
    label: 'Pi',
    latDeg: 48.2,
    lonDeg: 16.4,
    status: statusCodes.online,
    link: '',
  })
})

describe('what has no place on Earth is not drawn', () => {
  test.each([
    { lat: Number.NaN },
    { lat: Number.POSITIVE_INFINITY },
    { lat: 90.000_001 },
    { lat: -90.000_001 },
    { lon: 180.000_001 },
    { lon: -180.000_001 },
    { lon: Number.NEGATIVE_INFINITY },
    { lat: '48.2' },
    { lon: null },
    { lat: undefined },
    { id: '' },
    { id: 7 },
  ])('%j', (broken) => {
    expect(readNode({ ...row, ...broken })).toBeUndefined()
  })

  test.each([null, undefined, 'row', 7, [], {}])('%j', (notRow) => {
    expect(readNode(notRow)).toBeUndefined()
  })
})

test.each([
  [90, 180],
  [-90, -180],
  [0, 0],
])('the edges of the Earth are on it: %d, %d', (lat, lon) => {
  expect(readNode({ ...row, lat, lon })).toMatchObject({ latDeg: lat, lonDeg: lon })
})

test.each([
  ['online', statusCodes.online],
  ['offline', statusCodes.offline],
  ['unknown', statusCodes.other],
  ['asleep', statusCodes.other],
  ['toString', statusCodes.other],
  [null, statusCodes.other],
])('the status %j is %d', (status, code) => {
  expect(readNode({ ...row, status })).toMatchObject({ status: code })
})

describe('S27 a link is drawn only where it is safe to follow', () => {
  test.each([
    ['https://light.example', 'https://light.example/'],
    ['javascript:alert(1)', ''],
    [' \u0001java\nscript:alert(1)', ''],
    ['data:text/html,hi', ''],
    ['/relative', ''],
    ['', ''],
    [7, ''],
    [undefined, ''],
  ])('%j', (link, drawn) => {
    expect(readNode({ ...row, link })).toMatchObject({ link: drawn })
  })
})

test('a node without a usable label is drawn without one', () => {
  expect(readNode({ ...row, label: null })).toMatchObject({ label: '' })
})

test('the id of a row that can’t be drawn is still known', () => {
  expect(readId({ ...row, lat: 'nowhere' })).toBe('a1')
  expect(readId({ lat: 1 })).toBeUndefined()
})
