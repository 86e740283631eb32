import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeTempDir, openTestStorage } from '../test/open-test-storage.ts'
import { DataDirLocked, lockDataDir } from './data-dir-lock.ts'
import { openStorage } from './storage.ts'

/**
 * Opens the folder named on its command line, prints the outcome, and holds the folder until it is killed.
 */
const holder = `
  import { openStorage } from ${JSON.stringify(new URL('storage.ts', import.meta.url).href)}
  openStorage({ dataDir: process.argv[1], onFatal: (error) => { throw error } }).then(
    () => { console.log('open'); setInterval(() => undefined, 60_000) },
    (error) => console.log(error.message),
  )`

interface OtherProcess {
  readonly process: ChildProcess
  /** Its output about opening the folder. */
  readonly said: string
}

async function openElsewhere(dataDir: string): Promise<OtherProcess> {
  const child = spawn(process.execPath, ['-e', holder, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [chunk]: unknown[] = await once(child.stdout, 'data')
  return { process: child, said: String(chunk).trim() }
}

const line = (dataDir: string) =>
  `DATA_DIR: another Astropelago server is running on ${dataDir}; stop it or choose another folder`

test('a second server on a folder is refused with one line that names setting and folder', async () => {
  const dataDir = await makeTempDir()
  await openTestStorage(dataDir)
  const second = openStorage({ dataDir, onFatal: () => undefined })
  await expect(second).rejects.toThrow(new DataDirLocked(line(dataDir)))
})

test('another folder is not locked', async () => {
  await openTestStorage(await makeTempDir())
  const other = await openTestStorage(await makeTempDir())
  await expect(other.ping()).resolves.toBeUndefined()
})

test('a folder is unlocked when its server has closed', async () => {
  const dataDir = await makeTempDir()
  const storage = await openTestStorage(dataDir)
  await storage.close()
  const next = await openTestStorage(dataDir)
  await expect(next.ping()).resolves.toBeUndefined()
})

test('a folder whose storage could not be opened is unlocked', async () => {
  const dataDir = await makeTempDir()
  const path = resolve(dataDir, 'astropelago.sqlite')
  await mkdir(path)
  await expect(openStorage({ dataDir, onFatal: () => undefined })).rejects.toThrow(/unable to open/)
  lockDataDir(dataDir).release()
})

test('another process is refused, and a killed one leaves the folder unlocked', async () => {
  const dataDir = await makeTempDir()
  const first = await openElsewhere(dataDir)
  expect(first.said).toBe('open')
  expect(() => lockDataDir(dataDir)).toThrow(new DataDirLocked(line(dataDir)))
  const second = await openElsewhere(dataDir)
  expect(second.said).toBe(line(dataDir))

  first.process.kill('SIGKILL')
  await once(first.process, 'exit')
  await openTestStorage(dataDir)
})

test('a folder that can’t be written is not reported as taken', async () => {
  const dataDir = resolve(await makeTempDir(), 'missing')
  expect(() => lockDataDir(dataDir)).toThrow(/unable to open/)
})
