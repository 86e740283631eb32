import type { TestProject } from 'vitest/node'
import { createTemplate, dropTestDatabases } from './test-databases.ts'
import { startTestPostgres } from './test-postgres.ts'

/** One PostgreSQL for the whole run: that of TEST_DATABASE_URL, or one from npm. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL']
  const own = given === undefined ? await startTestPostgres() : undefined
  const serverUrl = own?.url ?? given ?? ''
  const template = await createTemplate(serverUrl)
  project.provide('testPostgres', { serverUrl, template })
  return async () => {
    if (own === undefined) await dropTestDatabases(serverUrl, template)
    else await own.remove()
  }
}
