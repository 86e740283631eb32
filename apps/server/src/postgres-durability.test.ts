import { expect, test } from 'vitest'
import { makeTempDir, openTestDatabase } from './test/open-test-storage.ts'
import { surviveKill } from './test/survive-kill.ts'

async function settings() {
  return { LIMIT_EXEMPT: '127.0.0.1', DATABASE_URL: await openTestDatabase() }
}

test(
  'S41 S43 kill -9 in a storm of writes to PostgreSQL loses no acknowledged write, nor does a backup taken in it',
  { timeout: 120_000 },
  async () => {
    const lost = await surviveKill({ dataDir: makeTempDir, settings })
    expect(lost).toEqual({ afterKill: [], afterRestore: [] })
  },
)
