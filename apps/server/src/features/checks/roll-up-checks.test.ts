import { expect, test } from 'vitest'
import { dayMs } from '../../history/time-spans.ts'
import { recordFound } from '../../test/api-checks.ts'
import { insertCheck, insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { rollUpChecks } from './roll-up-checks.ts'
import { sqlChecksStore } from './sql-checks-store.ts'

const hourMs = 3_600_000
const noRest = async () => undefined

async function setUp() {
  const storage = await openTestStorage()
  const userKey = await insertUser(storage.db)
  const checks = []
  // More than one step.
  while (checks.length < 60) checks.push(await insertCheck(storage.db, { userKey }))
  const [first = { key: 0, id: '' }, last = first] = [checks[0], checks.at(-1)]
  const store = sqlChecksStore(storage)
  const answer = (id: string, atMs: number, tookMs: number) =>
    recordFound(storage, id, { kind: 'up', atMs }, [[atMs, tookMs]])
  const daysOf = async (key: number) =>
    (await store.readDays(key, 0)).map(({ dayMs: at, p50Ms }) => [at / dayMs, p50Ms])
  const timesOf = async (key: number) => (await store.readSamples(key, 0)).map(({ atMs }) => atMs)
  return { store, first, last, answer, daysOf, timesOf }
}

test('a day is summed up once it is over, and then its looks go after 24 hours', async () => {
  const { store, first, last, answer, daysOf, timesOf } = await setUp()
  const rollUp = rollUpChecks(store, noRest)
  const startMs = 100 * dayMs
  await answer(first.id, startMs + hourMs, 7)
  await answer(last.id, startMs + 20 * hourMs, 8)
  await rollUp(startMs + 23 * hourMs)
  expect(await daysOf(first.key)).toEqual([])
  await rollUp(startMs + dayMs + 2 * hourMs)
  expect(await daysOf(first.key)).toEqual([[100, 7]])
  expect(await daysOf(last.key)).toEqual([[100, 8]])
  expect(await timesOf(first.key)).toEqual([])
  expect(await timesOf(last.key)).toEqual([startMs + 20 * hourMs])
  // Another server leads by now, and only a part of the day's looks is left.
  await rollUpChecks(store, noRest)(startMs + dayMs + 3 * hourMs)
  expect(await daysOf(last.key)).toEqual([[100, 8]])
})

test('days in which no server ran to their end are summed up later', async () => {
  const { store, first, answer, daysOf, timesOf } = await setUp()
  await answer(first.id, 100 * dayMs, 7)
  await answer(first.id, 103 * dayMs, 9)
  await rollUpChecks(store, noRest)(107 * dayMs)
  expect(await daysOf(first.key)).toEqual([
    [100, 7],
    [103, 9],
  ])
  expect(await timesOf(first.key)).toEqual([])
})

test('changes go after 90 days, except for the last one before', async () => {
  const { store, first, answer } = await setUp()
  await answer(first.id, 5 * dayMs, 7)
  const rollUp = rollUpChecks(store, noRest)
  await rollUp(95 * dayMs)
  expect(await store.readEvents(first.key, 0)).toHaveLength(1)
  expect(await store.readChanges(0, 9)).toHaveLength(1)
  await rollUp(96 * dayMs)
  expect(await store.readEvents(first.key, 0)).toHaveLength(1)
  expect(await store.readChanges(0, 9)).toHaveLength(0)
})

test('a server that closes goes on with nothing, and deletes nothing that was not summed up', async () => {
  const { store, first, answer, daysOf, timesOf } = await setUp()
  await answer(first.id, 100 * dayMs, 7)
  const closing = new AbortController()
  closing.abort()
  await rollUpChecks(store, noRest)(103 * dayMs, closing.signal)
  expect(await timesOf(first.key)).toHaveLength(1)
  await rollUpChecks(store, noRest)(103 * dayMs)
  expect(await daysOf(first.key)).toEqual([[100, 7]])
})
