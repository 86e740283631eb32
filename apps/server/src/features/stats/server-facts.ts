import type { AnswerBody } from '@astropelago/contract/route'
import type { getStats } from '@astropelago/contract/operator'
import { databaseBytes } from '../../storage/database-bytes.ts'
import type { Storage } from '../../storage/storage.ts'
import { version } from '../../version.ts'

interface ServerFactsOptions {
  readonly storage: Storage
  readonly dataDir: string
  readonly backups: {
    readonly makesBackups: boolean
    readonly newestMs: () => Promise<number | undefined>
  }
}

/** What an operator wants to know of the server itself. */
export async function readServerFacts({
  storage,
  dataDir,
  backups,
}: ServerFactsOptions): Promise<AnswerBody<typeof getStats>['server']> {
  const newestMs = await backups.newestMs()
  return {
    version,
    databaseBytes: await databaseBytes(storage, dataDir),
    makesBackups: backups.makesBackups,
    lastBackupAt: newestMs === undefined ? null : new Date(newestMs).toISOString(),
  }
}
