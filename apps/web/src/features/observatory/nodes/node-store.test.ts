import fc from 'fast-check'
import { expect, test } from 'vitest'
import { noNodes, statusCodes } from './node-columns.ts'
import { createNodeStore } from './node-store.ts'

const anyStatus = fc.constantFrom(statusCodes.other, statusCodes.offline, statusCodes.online)

function storeOf(statuses: readonly number[]) {
  const store = createNodeStore()
  const count = statuses.length
  const from = new Uint8Array(count)
  store.replace({ ...noNodes, count, from, status: Uint8Array.from(statuses) })
  return store
}

test('after any changes the counts match the statuses', () => {
  fc.assert(
    fc.property(
      fc.array(anyStatus, { minLength: 1, maxLength: 30 }),
      fc.array(fc.tuple(fc.nat({ max: 40 }), anyStatus), { maxLength: 30 }),
      (statuses, changes) => {
        const store = storeOf(statuses)
        store.setStatuses(
          Uint32Array.from(changes, ([index]) => index),
          Uint8Array.from(changes, ([, status]) => status),
        )
        const now = [...store.columns.status]
        const countOf = (code: number) => now.filter((status) => status === code).length
        expect(store.counts).toEqual({
          online: countOf(statusCodes.online),
          offline: countOf(statusCodes.offline),
          other: countOf(statusCodes.other),
        })
      },
    ),
  )
})

test('the counts are one object until something changes', () => {
  const store = storeOf([statusCodes.online])
  expect(store.counts).toBe(store.counts)
  const before = store.counts
  store.setStatuses(Uint32Array.of(0), Uint8Array.of(statusCodes.offline))
  expect(store.counts).not.toBe(before)
})

test('devices of neighbours are in no count', () => {
  const store = createNodeStore()
  const { online, offline } = statusCodes
  const status = Uint8Array.of(online, online)
  store.replace({ ...noNodes, count: 2, status, from: Uint8Array.of(0, 1) })
  expect(store.counts).toEqual({ online: 1, offline: 0, other: 0 })
  store.setStatuses(Uint32Array.of(0, 1), Uint8Array.of(offline, offline))
  expect(store.counts).toEqual({ online: 0, offline: 1, other: 0 })
  expect([...store.columns.status]).toEqual([offline, offline])
})
