import { expect, test } from 'vitest'
import { backupName, backupTimeMs, surplusBackups } from './backups-feature.ts'

const hourMs = 3_600_000
const startMs = Date.parse('2026-11-26T03:07:41Z')

test('the name of a backup says when it was made', () => {
  const name = backupName(startMs)
  expect(name).toBe('astropelago-2026-11-26T0307Z.sqlite')
  expect(backupTimeMs(name)).toBe(Date.parse('2026-11-26T03:07:00Z'))
  expect(backupTimeMs('mine.sqlite')).toBeUndefined()
})

test('after months of daily backups, one for each of the last days and weeks is left', () => {
  let names: string[] = []
  for (let day = 0; day < 100; day += 1) {
    names.push(backupName(startMs + day * 24 * hourMs))
    const gone = new Set(surplusBackups(names))
    names = names.filter((name) => !gone.has(name))
  }
  const ages = names.map(
    (name) => (startMs + 99 * 24 * hourMs - (backupTimeMs(name) ?? 0)) / hourMs,
  )
  const days = ages.map((hours) => Math.floor(hours / 24)).toReversed()
  expect(days.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, 6])
  expect(days.length).toBeLessThanOrEqual(12)
  expect(days.at(-1)).toBeGreaterThanOrEqual(21)
})

test('the newest backup of a day stays, and other files are never touched', () => {
  const names = [0, 1, 2].map((hour) => backupName(startMs + hour * hourMs))
  expect(surplusBackups([...names, 'mine.sqlite', 'astropelago.sqlite'])).toEqual([
    names[1],
    names[0],
  ])
})
