import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStorage, type Storage } from '../storage/storage.ts'

/** A folder of its own for one test, removed after it. */
export async function makeTempDir(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'astropelago-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

/** A real, empty, migrated database for one test. */
export async function openTestStorage(dataDir?: string): Promise<Storage> {
  const storage = await openStorage({
    dataDir: dataDir ?? (await makeTempDir()),
    onFatal: (error) => {
      throw error
    },
  })
  onTestFinished(() => storage.close())
  return storage
}
