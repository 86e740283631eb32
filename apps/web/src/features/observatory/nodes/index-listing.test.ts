import { expect, test } from 'vitest'
import { searchText } from '../../../lib/search-text.ts'
import { indexListing } from './index-listing.ts'
import { type NodeRecord, textAt } from './node-columns.ts'

function node(id: string, changes: Partial<NodeRecord> = {}): NodeRecord {
  return { id, label: '', latDeg: 0, lonDeg: 0, status: 0, link: '', ...changes }
}

test('labels are in the order that a person expects: numbers by value, case and accents aside', () => {
  const labels = ['pi 10', 'Zürich', 'Pi 9', 'Ärmel', 'zurich 2', 'Berlin']
  const { orders } = indexListing(labels.map((label, index) => node(String(index), { label })))
  expect([...orders.label].map((index) => labels[index])).toEqual([
    'Ärmel',
    'Berlin',
    'Pi 9',
    'pi 10',
    'Zürich',
    'zurich 2',
  ])
})

test('places are in the order of their numbers, and equal ones in the order of ids', () => {
  const { orders } = indexListing([
    node('c', { latDeg: 5, lonDeg: -170 }),
    node('b', { latDeg: -5, lonDeg: 9 }),
    node('a', { latDeg: 5, lonDeg: 10 }),
  ])
  expect([...orders.lat]).toEqual([1, 2, 0])
  expect([...orders.lon]).toEqual([0, 1, 2])
  expect([...orders.label]).toEqual([2, 1, 0])
})

test('labels are searched one by one, without case and accents', () => {
  const { searchable } = indexListing([
    node('a', { label: 'Zürich ﬁ' }),
    node('b', { label: 'İo' }),
  ])
  expect(textAt(searchable, 0)).toBe('zurich fi')
  expect(textAt(searchable, 1)).toBe('io')
  expect(searchText('ZÜRICH')).toBe('zurich')
})
