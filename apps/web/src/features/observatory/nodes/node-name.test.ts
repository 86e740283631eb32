import { expect, test } from 'vitest'
import { packColumns, statusCodes } from './node-columns.ts'
import { nodeName, statusWord, summarizeNode } from './node-name.ts'

const id = '0f8fad5b-d9cb-469f-a165-70867728950e'
const node = { id, label: 'Attic', latDeg: 48, lonDeg: 11, status: statusCodes.online, link: '' }
const columns = packColumns([node, { ...node, label: '', link: 'https://example.org/' }])

test('a node’s name is its label, or else the first 8 characters of its id', () => {
  expect(nodeName(columns, 0)).toBe('Attic')
  expect(nodeName(columns, 1)).toBe('0f8fad5b')
})

test('any status but online and offline is unknown', () => {
  const { online, offline, other } = statusCodes
  expect([online, offline, other, undefined].map(statusWord)).toEqual([
    'online',
    'offline',
    'unknown',
    'unknown',
  ])
})

test('a summary has everything about a node', () => {
  expect(summarizeNode(columns, 1)).toEqual({
    id,
    name: '0f8fad5b',
    status: 'online',
    link: 'https://example.org/',
    latDeg: 48,
    lonDeg: 11,
    isPrivate: false,
  })
})
