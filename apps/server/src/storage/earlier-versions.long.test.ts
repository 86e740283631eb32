import { execFileSync } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { everyRow } from '../test/dfe8154/every-row.ts'
import { openAsItIs, type Place, placeOfDfe8154 } from '../test/dfe8154/place-of-dfe8154.ts'
import { isOnPostgres, makeTempDir } from '../test/open-test-storage.ts'
import { readCatalog } from '../test/read-catalog.ts'
import { migrate } from './migrations.ts'
import { openStorage } from './storage.ts'

const root = join(import.meta.dirname, '../../../..')

/** Opens the storage once as a server of this commit does, with its source from git's history. */
async function openAsOf(commit: string, place: Pick<Place, 'dataDir'>): Promise<void> {
  const folder = await makeTempDir()
  const archive = execFileSync('git', ['archive', commit, 'apps/server/src'], {
    cwd: root,
    maxBuffer: Infinity,
  })
  execFileSync('tar', ['x', '-C', folder], { input: archive })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const script = join(folder, 'open.mjs')
  await writeFile(
    script,
    `import { openStorage } from './apps/server/src/storage/storage.ts'
    const onFatal = (error) => { throw error }
    const storage = await openStorage({ dataDir: process.argv[2], onFatal })
    await storage.close()`,
  )
  execFileSync(process.execPath, [script, place.dataDir], { stdio: 'pipe' })
}

test.skipIf(isOnPostgres())(
  'S42 a database of b8db699 is refused and not touched, and goes on after dfe8154 has upgraded it',
  async () => {
    const place = { dataDir: join(await makeTempDir(), 'data'), databaseUrl: undefined }
    await openAsOf('b8db699', place)
    const db = await openAsItIs(place)
    await sql`
      insert into users (username, username_folded, is_demo, created_ms)
      values ('Nova', 'nova', 0, 1000)`.execute(db)
    const before = await everyRow(db)
    await expect(migrate(db)).rejects.toThrow('Start Astropelago dfe8154 once')
    expect(await everyRow(db)).toEqual(before)
    await db.destroy()

    await openAsOf('dfe8154', place)
    const storage = await openStorage({
      ...place,
      onFatal: (error) => {
        throw error
      },
    })
    onTestFinished(() => storage.close())
    const users = storage.db.selectFrom('users').select(['username', 'created_ms'])
    expect(await users.execute()).toEqual([{ username: 'Nova', created_ms: 1000 }])
  },
)

test.skipIf(isOnPostgres())(
  'the database that tests upgrade is the same as one that dfe8154 makes',
  async () => {
    const place = { dataDir: join(await makeTempDir(), 'data'), databaseUrl: undefined }
    await openAsOf('dfe8154', place)
    const [made, stored] = [await openAsItIs(place), await openAsItIs(await placeOfDfe8154())]
    expect(await readCatalog(stored)).toEqual(await readCatalog(made))
    const names = sql`select name from kysely_migration order by name`
    expect((await names.execute(stored)).rows).toEqual((await names.execute(made)).rows)
  },
)
