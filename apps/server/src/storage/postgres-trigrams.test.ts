import { expect, inject, onTestFinished, test } from 'vitest'
import { createDatabase, dropDatabase, readRows, runStatement } from '../test/test-databases.ts'
import { migratePostgres } from './postgres-storage.ts'
import { DatabaseUnusable } from './storage-error.ts'

/** An empty database whose role may create tables but no extensions. */
async function openForLimitedRole() {
  const postgres = inject('testPostgres')
  if (postgres === undefined) throw new Error('this test needs PostgreSQL')
  const { serverUrl } = postgres
  const url = await createDatabase(serverUrl)
  const role = new URL(url).pathname.slice(1)
  await runStatement(serverUrl, `create role ${role} login password 'test'`)
  onTestFinished(async () => {
    await dropDatabase(serverUrl, url)
    await runStatement(serverUrl, `drop role ${role}`)
  })
  await runStatement(url, `grant create, usage on schema public to ${role}`)
  const limited = new URL(url)
  limited.username = role
  limited.password = 'test'
  return { url, limitedUrl: limited.href }
}

test('a role that may not add pg_trgm gets advice, and goes on once the extension is there', async () => {
  const { url, limitedUrl } = await openForLimitedRole()
  const refused = migratePostgres(limitedUrl)
  await expect(refused).rejects.toThrow(DatabaseUnusable)
  await expect(refused).rejects.toThrow(/^DATABASE_URL: .*`create extension pg_trgm`.*/)
  await runStatement(url, 'create extension pg_trgm')
  await migratePostgres(limitedUrl)
  expect(await readRows(url, `select to_regclass('search_islands')::text as name`)).toEqual([
    { name: 'search_islands' },
  ])
})

test('the schema of the extension makes no difference', async () => {
  const { url, limitedUrl } = await openForLimitedRole()
  await runStatement(url, 'create schema extensions')
  await runStatement(url, 'create extension pg_trgm schema extensions')
  await runStatement(url, 'grant usage on schema extensions to public')
  await migratePostgres(limitedUrl)
  expect(await readRows(url, `select to_regclass('search_islands')::text as name`)).toEqual([
    { name: 'search_islands' },
  ])
})
