import { expect, test } from 'vitest'
import { dayMs } from '../../history/time-spans.ts'
import { insertDevice } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { sqlFlipStore } from '../presence/flips/sql-flip-store.ts'
import { rollUpDays } from './roll-up-days.ts'
import { sqlHistoryStore } from './sql-history-store.ts'

const atOnce = async () => undefined

/**
 * A device that came online and went offline on each of this many days, beginning with the first of 1970.
 */
async function setUp({ days }: { readonly days: number }) {
  const { db } = await openTestStorage()
  const deviceKey = await insertDevice(db)
  const flips = Array.from({ length: 2 * days }, (_, at) => ({
    device_key: deviceKey,
    status: at % 2 === 0 ? ('online' as const) : ('offline' as const),
    at_ms: (at * dayMs) / 2 + 1000,
  }))
  await db.insertInto('presence_events').values(flips).execute()
  const store = sqlHistoryStore(db)
  const made = () =>
    db.selectFrom('device_days').select(['day', 'flips', 'online_s']).orderBy('day').execute()
  const each = Array.from({ length: days }, (_, day) => ({ day, flips: 2, online_s: 43_200 }))
  return { store, flips: sqlFlipStore(db), made, each }
}

test('[H5] aborted work resumes where it was, and makes each day once', async () => {
  const { store, flips, made, each } = await setUp({ days: 5 })
  const stopping = new AbortController()
  let steps = 0
  const rest = async () => {
    steps += 1
    if (steps === 2) stopping.abort()
  }
  const work = { store, flips, rest, flipsInStep: 2 }
  expect(await rollUpDays(work, 5 * dayMs, stopping.signal)).toBe(2)
  expect(await made()).toEqual(each.slice(0, 2))
  expect(await rollUpDays(work, 5 * dayMs)).toBe(3)
  expect(await made()).toEqual(each)
  expect(await rollUpDays(work, 5 * dayMs)).toBe(0)
})

test('[H5] work that fails between its days and its cursor makes the days again', async () => {
  const { store, flips, made, each } = await setUp({ days: 3 })
  const broken = { ...flips, moveOn: () => Promise.reject(new Error('no database')) }
  const work = { store, rest: atOnce, flipsInStep: 4 }
  await expect(rollUpDays({ ...work, flips: broken }, 3 * dayMs)).rejects.toThrow('no database')
  expect(await made()).toEqual(each.slice(0, 2))
  expect(await rollUpDays({ ...work, flips }, 3 * dayMs)).toBe(3)
  expect(await made()).toEqual(each)
})

test('[H5] a day that is not over is skipped, and the days before it are made', async () => {
  const { store, flips, made, each } = await setUp({ days: 3 })
  const work = { store, flips, rest: atOnce }
  expect(await rollUpDays(work, 3 * dayMs - 1)).toBe(2)
  expect(await made()).toEqual(each.slice(0, 2))
  expect(await rollUpDays(work, 3 * dayMs)).toBe(1)
  expect(await made()).toEqual(each)
})
