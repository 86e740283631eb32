import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { createMetrics } from '../../metrics.ts'
import { Schedule } from '../../schedule.ts'
import { checkFile } from '../../storage/backup/check-storage.ts'
import { insertUser } from '../../test/factories.ts'
import { movableClock } from '../../test/movable-clock.ts'
import { makeTempDir } from '../../test/open-test-storage.ts'
import { openStorage } from '../../storage/storage.ts'
import { backupName, backupsFeature } from './backups-feature.ts'

const dayMs = 86_400_000

/** A server's own file with a user in it, and the folder of its backups. */
async function setUp({ leads = true } = {}) {
  const dataDir = await makeTempDir()
  const storage = await openStorage({
    dataDir,
    onFatal: (error) => expect.unreachable(String(error)),
  })
  onTestFinished(() => storage.close())
  await insertUser(storage.db)
  const clock = movableClock()
  const metrics = createMetrics()
  const backupDir = join(dataDir, 'backups')
  const { makeIfDue } = backupsFeature(
    {
      cluster: { leads: () => leads },
      clock: clock.now,
      schedule: new Schedule(pino({ enabled: false })),
      metrics,
      log: pino({ enabled: false }),
    },
    { backupDir, dataDir, databaseUrl: undefined },
  )
  return {
    backupDir,
    clock,
    metrics,
    names: async () => (await readdir(backupDir)).toSorted(),
    makeIfDue: (signal = new AbortController().signal) => makeIfDue(signal),
  }
}

test('a complete backup is made each day, and old ones are deleted', async () => {
  const { backupDir, clock, metrics, names, makeIfDue } = await setUp()
  await mkdir(backupDir)
  await writeFile(join(backupDir, 'mine.txt'), '')
  await makeIfDue()
  const first = backupName(clock.now())
  expect(await names()).toEqual([first, 'mine.txt'].toSorted())
  const { tables } = checkFile(join(backupDir, first))
  expect(tables).toContainEqual(expect.objectContaining({ rows: 1, label: 'users' }))

  clock.move(dayMs - 60_000)
  await makeIfDue()
  expect(await names()).toHaveLength(2)
  expect(await metrics.text()).toContain(`astropelago_backup_age_seconds ${dayMs / 1000 - 60}`)
  // As a folder is that nobody tidied for two months.
  for (let day = 1; day <= 60; day += 1) {
    await writeFile(join(backupDir, backupName(clock.now() - day * dayMs)), '')
  }
  clock.move(dayMs)
  await makeIfDue()
  const kept = await names()
  expect(kept).toContain(backupName(clock.now()))
  expect(kept).toContain('mine.txt')
  expect(kept.length).toBeLessThanOrEqual(1 + 7 + 5)
})

test('a server that does not lead makes no backup', async () => {
  const { makeIfDue, names } = await setUp({ leads: false })
  await makeIfDue()
  await expect(names()).rejects.toThrow('ENOENT')
})

test('a server that stops meanwhile leaves no partial backup', async () => {
  const { makeIfDue, names } = await setUp()
  const ended = new AbortController()
  const made = makeIfDue(ended.signal)
  ended.abort()
  await made
  expect((await names()).filter((name) => name.includes('partial'))).toEqual([])
})
