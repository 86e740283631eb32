import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { TotalReached } from '../../storage/storage-error.ts'
import type { NewReportRecord, ReportsStore } from './reports-store.ts'

export interface ReportsStoreHarness {
  readonly store: ReportsStore
  readonly insertUser: () => Promise<number>
  readonly deleteUser: (userKey: number) => Promise<void>
  readonly nameUser: (userKey: number, username: string) => Promise<void>
}

const plenty = { perReporter: 100, sinceMs: -1, open: 1000 }

/** What every store of reports must do, on any database. */
export function reportsStoreContract(open: () => Promise<ReportsStoreHarness>): void {
  async function setUp() {
    const harness = await open()
    const { store, insertUser, nameUser } = harness
    const [ada, bob] = [await insertUser(), await insertUser()]
    await nameUser(ada, 'ada')
    await nameUser(bob, 'bob')
    const report = (reporterKey: number, id: string, details: Partial<NewReportRecord> = {}) =>
      store.insert(newReport({ reporterKey, subject: { kind: 'device', id }, ...details }), plenty)
    const subjectIds = async (state: 'open' | 'settled', after?: string) =>
      (await store.listCases({ state, limit: 10, after })).map(({ subject }) => subject.id)
    return { ...harness, ada, bob, report, subjectIds }
  }

  describe('new reports', () => {
    test('are read in their order, and open ones are counted by the kind of their subject', async () => {
      const { store, ada, bob, report } = await setUp()
      await report(ada, 'old', { createdMs: 4 })
      await report(ada, 'x', { createdMs: 5 })
      await report(bob, 'x', { createdMs: 6 })
      await report(ada, 'y', { createdMs: 7 })
      await report(ada, 'i', { createdMs: 8, subject: { kind: 'island', id: 'i' } })
      const [first, ...others] = await store.readNew(0, 3)
      expect([first, ...others].map((one) => one?.atMs)).toEqual([4, 5, 6])
      const rest = await store.readNew(others.at(-1)?.position ?? 0, 10)
      expect(rest.map(({ atMs }) => atMs)).toEqual([7, 8])
      await store.settle({ kind: 'device', id: 'y' }, 'dismissed', 9)
      expect(await store.countOpen(5)).toEqual({
        newCount: 3,
        newSubjects: [
          { kind: 'device', count: 1 },
          { kind: 'island', count: 1 },
        ],
        subjectCount: 3,
      })
      expect(await store.countOpen(9)).toEqual({ newCount: 0, newSubjects: [], subjectCount: 3 })
    })
  })

  describe('cases', () => {
    test('open reports of a subject are one case, with the subject as the newest reporter saw it', async () => {
      const { store, ada, bob, report } = await setUp()
      const old = { name: 'Pi', link: null, author: 'eve' }
      const seen = { name: "Rook'\u0001", link: 'https://a.example/', author: 'eve' }
      await report(ada, 'x', { seen: old, createdMs: 5 })
      const id = randomUUID()
      await report(bob, 'x', { id, seen, createdMs: 6, reason: 'spam', text: 'line\nline 🛰' })
      const subject = { kind: 'device', id: 'x' }
      const kept = { subject, outcome: null }
      expect(await store.listCases({ state: 'open', limit: 10 })).toEqual([
        {
          id,
          subject,
          seen,
          count: 2,
          reports: [
            { ...kept, reason: 'spam', text: 'line\nline 🛰', reporter: 'bob', createdMs: 6 },
            { ...kept, reason: 'other', text: 'Look', reporter: 'ada', createdMs: 5 },
          ],
          settled: null,
        },
      ])
      expect(await store.countOpenCases()).toBe(1)
      expect(await store.listCases({ state: 'settled', limit: 10 })).toEqual([])
    })

    test('only the newest of many reports are read, and all are counted', async () => {
      const { store, insertUser, report } = await setUp()
      for (let at = 0; at < 8; at += 1) {
        await report(await insertUser(), 'x', { createdMs: at })
        await report(await insertUser(), 'y', { createdMs: at })
      }
      for (const { count, reports } of await store.listCases({ state: 'open', limit: 10 })) {
        expect(count).toBe(8)
        expect(reports.map(({ createdMs }) => createdMs)).toEqual([7, 6, 5, 4, 3])
      }
    })

    test('those with the newest report come first, a page at a time', async () => {
      const { store, ada, bob, report, subjectIds } = await setUp()
      for (const id of ['a', 'b', 'c', 'd']) await report(ada, id, { id: `report-${id}` })
      await report(bob, 'b', { id: 'report-b2' })
      expect(await subjectIds('open')).toEqual(['b', 'd', 'c', 'a'])
      expect(await subjectIds('open', 'report-b2')).toEqual(['d', 'c', 'a'])
      expect(await subjectIds('open', 'report-a')).toEqual([])
      expect(await subjectIds('open', 'gone')).toEqual([])
      const page = await store.listCases({ state: 'open', limit: 2, after: 'report-b2' })
      expect(page.map(({ id }) => id)).toEqual(['report-d', 'report-c'])
    })

    test('settling ends all open reports of a subject, once; later reports are another case', async () => {
      const { store, ada, bob, report, subjectIds } = await setUp()
      await report(ada, 'x')
      await report(bob, 'x')
      await report(ada, 'y')
      const x = { kind: 'device', id: 'x' } as const
      expect(await store.settle(x, 'dismissed', 7)).toBe(2)
      expect(await store.settle(x, 'hidden', 8)).toBe(0)
      expect(await subjectIds('open')).toEqual(['y'])
      expect(await report(ada, 'x')).toBe('inserted')
      expect(await subjectIds('open')).toEqual(['x', 'y'])
      await store.settle(x, 'hidden', 9)
      await store.settle({ kind: 'device', id: 'y' }, 'hidden', 8)
      const settled = await store.listCases({ state: 'settled', limit: 10 })
      expect(settled.map(({ subject, count, settled: end }) => [subject.id, count, end])).toEqual([
        ['x', 1, { outcome: 'hidden', atMs: 9 }],
        ['y', 1, { outcome: 'hidden', atMs: 8 }],
        ['x', 2, { outcome: 'dismissed', atMs: 7 }],
      ])
      expect(await subjectIds('settled', settled[0]?.id)).toEqual(['y', 'x'])
      expect(await store.countOpenCases()).toBe(0)
    })

    test('a report outlives its reporter, without the name', async () => {
      const { store, ada, report, deleteUser } = await setUp()
      await report(ada, 'x')
      await deleteUser(ada)
      const [found] = await store.listCases({ state: 'open', limit: 10 })
      expect(found?.reports).toMatchObject([{ reporter: null, text: 'Look' }])
    })
  })

  describe('S52 limits', () => {
    test('a reporter has one open report of a subject, even under simultaneous calls', async () => {
      const { store, ada, bob, report } = await setUp()
      const outcomes = await Promise.all([1, 2, 3].map(() => report(ada, 'x')))
      expect(outcomes.toSorted()).toEqual(['already_open', 'already_open', 'inserted'])
      expect(await report(bob, 'x')).toBe('inserted')
      expect(await report(ada, 'y')).toBe('inserted')
      expect(await store.listCases({ state: 'open', limit: 10 })).toHaveLength(2)
    })

    test('a reporter sends a limited number in a time, whether they are settled or not', async () => {
      const { store, ada, bob } = await setUp()
      const limits = { ...plenty, perReporter: 2, sinceMs: 10 }
      const send = (reporterKey: number, id: string, createdMs: number) =>
        store.insert(newReport({ reporterKey, subject: { kind: 'device', id }, createdMs }), limits)
      await send(ada, 'a', 10)
      await send(ada, 'b', 11)
      await store.settle({ kind: 'device', id: 'b' }, 'dismissed', 12)
      const outcomes = await Promise.all(['c', 'd', 'e'].map((id) => send(ada, id, 12)))
      expect(outcomes.toSorted()).toEqual(['inserted', 'limit_reached', 'limit_reached'])
      expect(await send(bob, 'c', 12)).toBe('inserted')
    })

    test('the number of open reports is limited, and settling makes room', async () => {
      const { store, ada, bob } = await setUp()
      const limits = { ...plenty, open: 2 }
      const send = (reporterKey: number, id: string) =>
        store.insert(newReport({ reporterKey, subject: { kind: 'device', id } }), limits)
      await send(ada, 'a')
      await send(bob, 'a')
      await expect(send(ada, 'b')).rejects.toThrow(TotalReached)
      await store.settle({ kind: 'device', id: 'a' }, 'dismissed', 12)
      expect(await send(ada, 'b')).toBe('inserted')
    })

    test('reports that were settled long ago are deleted, the oldest first, and open ones stay', async () => {
      const { store, ada, report, subjectIds } = await setUp()
      for (const [at, id] of ['a', 'b', 'c', 'd'].entries()) {
        await report(ada, id)
        if (id !== 'd') await store.settle({ kind: 'device', id }, 'hidden', at)
      }
      expect(await store.deleteSettled(1, 1)).toBe(1)
      expect(await subjectIds('settled')).toEqual(['c', 'b'])
      expect(await store.deleteSettled(1, 10)).toBe(1)
      expect(await store.deleteSettled(1, 10)).toBe(0)
      expect(await subjectIds('settled')).toEqual(['c'])
      expect(await subjectIds('open')).toEqual(['d'])
    })
  })

  test('a reporter’s own reports are listed oldest first, and nobody else’s', async () => {
    const { store, ada, bob, report } = await setUp()
    await report(ada, 'x')
    await report(bob, 'x')
    await store.settle({ kind: 'device', id: 'x' }, 'hidden', 5)
    await report(ada, 'x')
    const own = await store.listOf(ada)
    expect(own.map(({ subject, outcome }) => [subject.id, outcome])).toEqual([
      ['x', 'hidden'],
      ['x', null],
    ])
  })
}

function newReport(details: Partial<NewReportRecord> & Pick<NewReportRecord, 'reporterKey'>) {
  return {
    id: randomUUID(),
    subject: { kind: 'device', id: 'x' },
    reason: 'other',
    text: 'Look',
    seen: { name: 'Pi', link: null, author: 'eve' },
    createdMs: 1,
    ...details,
  } satisfies NewReportRecord
}
