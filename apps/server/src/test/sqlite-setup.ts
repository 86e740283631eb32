import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { databasePath, openSqliteStorage } from '../storage/sqlite-storage.ts'

/** Migrates one SQLite file for the whole run. Each test gets a copy. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'astropelago-template-'))
  const storage = await openSqliteStorage({
    dataDir,
    onFatal: (error) => {
      throw error
    },
  })
  await storage.close()
  project.provide('testSqlite', { template: databasePath(dataDir) })
  return async () => rm(dataDir, { recursive: true, force: true })
}
