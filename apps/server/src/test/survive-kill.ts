import { join } from 'node:path'
import { expect } from 'vitest'
import { backUp } from '../storage/backup/back-up.ts'
import { checkStorage } from '../storage/backup/check-storage.ts'
import { restore } from '../storage/backup/restore.ts'
import { makeTempDir } from './open-test-storage.ts'
import { runServer } from './run-server.ts'
import { startStorm, untilRaging } from './write-storm.ts'

/** Makes empty places for data. */
interface Places {
  readonly dataDir: () => Promise<string>
  readonly settings: () => Promise<Readonly<Record<string, string>>>
}

interface Lost {
  /** Acknowledged writes that the next server with the same data does not have. */
  readonly afterKill: readonly string[]
  /** Writes acknowledged before the backup began that a server with the backup does not have. */
  readonly afterRestore: readonly string[]
}

/** Kills a server in a storm of writes, during which a backup is taken, and looks for lost writes. */
export async function surviveKill({ dataDir, settings }: Places): Promise<Lost> {
  const place = async () => {
    const [folder, env] = [await dataDir(), await settings()]
    return { dataDir: folder, env, databaseUrl: env['DATABASE_URL'] }
  }
  const [here, there] = [await place(), await place()]
  const server = await runServer(here)
  const storm = await startStorm(server.url)
  await untilRaging(storm)
  const beforeBackup = storm.acknowledged()
  const file = join(await makeTempDir(), 'backup.sqlite')
  await backUp({ ...here, file })
  server.kill('SIGKILL')
  expect(await server.exited).toBeNull()
  // Every writer was at work until the server was gone.
  for (const reason of await storm.ended) expect(reason).toMatch(/^(fetch failed|terminated)$/)

  const next = await runServer(here)
  const afterKill = await storm.findLost(next.url, storm.acknowledged())
  next.kill('SIGTERM')
  await next.exited
  await checkStorage(here)

  await restore({ ...there, file })
  const restored = await runServer(there)
  return { afterKill, afterRestore: await storm.findLost(restored.url, beforeBackup) }
}
