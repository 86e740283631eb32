import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findWrk } from '../../scripts/system-tools.ts'
import { seedDevices } from './seed-devices.ts'
import { startBareServer, startServer, type ServerProcess } from './server-process.ts'

/** So long that no seeded device goes offline meanwhile. */
export const onlineWindowS = 86_400

export interface Seeded {
  readonly devices: number
  readonly server: ServerProcess
}

interface Servers {
  readonly bare: ServerProcess
  /** In the order of the counts. */
  readonly seeded: readonly Seeded[]
  /** For files of the measurement, on the disk that the databases are on. */
  readonly folder: string
}

/**
 * Runs a bare server that answers with a status, and a real one for each number of devices, all of
 * them just seen. Cleans up after them.
 */
export async function withServers<Result>(
  status: 204 | 304,
  counts: readonly number[],
  measure: (servers: Servers) => Promise<Result>,
): Promise<Result> {
  // Before minutes of seeding, not after them.
  findWrk()
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  const running: ServerProcess[] = []
  try {
    const bare = await startBareServer(status)
    running.push(bare)
    const seeded: Seeded[] = []
    for (const devices of counts) {
      const dataDir = join(folder, `${devices}`)
      await seedDevices(dataDir, devices, 'just seen')
      const server = await startServer(dataDir, { onlineWindowS })
      running.push(server)
      seeded.push({ devices, server })
    }
    return await measure({ bare, seeded, folder })
  } finally {
    for (const server of running) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
