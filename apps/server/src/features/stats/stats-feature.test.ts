import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getStats } from '@astropelago/contract/operator'
import { expect, test } from 'vitest'
import { createTestApp } from '../../test/create-test-app.ts'
import { isOnPostgres, makeTempDir } from '../../test/open-test-storage.ts'
import { version } from '../../version.ts'

const anyNumber: unknown = expect.any(Number)

test('operators see the version, the size of the database, and the time of the last backup', async () => {
  const [dataDir, backupDir] = [await makeTempDir(), await makeTempDir()]
  await writeFile(join(dataDir, 'astropelago.sqlite'), 'x'.repeat(1000))
  await writeFile(join(dataDir, 'astropelago.sqlite-wal'), 'x'.repeat(24))
  for (const day of ['02', '03']) {
    await writeFile(join(backupDir, `astropelago-2025-12-${day}T0405Z.sqlite`), '')
  }
  const operators = new Set(['captain'])
  const { signUp } = await createTestApp({ config: { dataDir, backupDir, operators } })
  const captain = await signUp('captain')
  const response = await captain.inject({ url: getStats.path })
  const databaseBytes: unknown = isOnPostgres() ? anyNumber : 1024
  expect(response.json()).toMatchObject({
    figures: expect.arrayContaining([{ name: 'users', label: 'Users', value: 1 }]),
    server: {
      version,
      databaseBytes,
      makesBackups: true,
      lastBackupAt: '2025-12-03T04:05:00.000Z',
      health: {
        storage: {
          kind: isOnPostgres() ? 'postgres' : 'sqlite',
          answeredInMs: anyNumber,
          waiting: anyNumber,
          failures: 0,
        },
        mail: { isOn: false, lastSentAt: null, failure: null },
        cluster: { size: 1, leads: true, behindMs: anyNumber },
      },
    },
  })
})
