import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NodeList } from './node-list.ts'

const row = (id: string, status: string) => ({ id, label: id, lat: 1, lon: 2, status })
const statuses = ({ table }: NodeList) => table.nodes.map(({ id, status }) => `${id}${status}`)

test('a list that is older than what the feed has told changes nothing; a newer one does', () => {
  const nodes = new NodeList()
  nodes.load({ rows: [row('a', 'offline')], sequence: '"e-3"' })
  nodes.apply([row('a', 'online'), row('b', 'offline')], [], 'e-5')
  nodes.load({ rows: [row('a', 'offline')], sequence: '"e-4"' })
  expect(statuses(nodes)).toEqual(['a2', 'b1'])
  expect(nodes.sequence).toBe('e-5')
  nodes.load({ rows: [row('b', 'online')], sequence: '"e-6"' })
  expect(statuses(nodes)).toEqual(['b2'])
})

test('changes that the list has already are not told again', () => {
  const nodes = new NodeList()
  nodes.load({ rows: [row('a', 'online')], sequence: '"e-3"' })
  nodes.apply([row('a', 'offline')], [], 'e-3')
  expect(statuses(nodes)).toEqual(['a2'])
})

test('the list of a server that has begun anew counts, whatever its number, and so does one without any', () => {
  const nodes = new NodeList()
  nodes.load({ rows: [row('a', 'online')], sequence: '"e-9"' })
  nodes.load({ rows: [row('a', 'offline')], sequence: '"f-0"' })
  expect(statuses(nodes)).toEqual(['a1'])
  nodes.load({ rows: [row('a', 'online')], sequence: null })
  expect(statuses(nodes)).toEqual(['a2'])
})

test('whatever comes late, the nodes end as the last one told', () => {
  // What a server knew after each of its changes: the status of one device.
  const history = fc.array(fc.constantFrom('online', 'offline'), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(
      history,
      fc.infiniteStream(fc.nat(7)),
      fc.infiniteStream(fc.boolean()),
      (all, late, isListed) => {
        const nodes = new NodeList()
        for (const [number, status] of all.entries()) {
          nodes.apply([row('a', status)], [], `e-${number}`)
          const then = Math.min(number, late.next().value)
          const old = row('a', all[then] ?? '')
          if (isListed.next().value) nodes.load({ rows: [old], sequence: `"e-${then}"` })
        }
        expect(statuses(nodes)).toEqual([all.at(-1) === 'online' ? 'a2' : 'a1'])
      },
    ),
  )
})
