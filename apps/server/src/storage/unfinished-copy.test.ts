import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { makeTempDir, openTestStorage } from '../test/open-test-storage.ts'
import { CopyUnfinished } from './unfinished-copy.ts'

test('no server starts on a database while data is moved to it', async () => {
  const dataDir = await makeTempDir()
  const moving = await openTestStorage(dataDir)
  await sql`create table unfinished_copy (source text not null)`.execute(moving.db)
  await sql`insert into unfinished_copy values ('there')`.execute(moving.db)
  await moving.close()
  await expect(openTestStorage(dataDir)).rejects.toThrow(new CopyUnfinished('there'))
})
