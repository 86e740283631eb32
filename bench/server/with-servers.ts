import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findWrk } from '../../scripts/system-tools.ts'
import { seedDevices } from './seed-devices.ts'
import { startBareServer, startServer, type ServerProcess } from './server-process.ts'

/** Long enough for all seeded devices to stay online. */
export const onlineWindowS = 86_400

export interface Seeded {
  readonly devices: number
  readonly server: ServerProcess
}

interface Servers {
  readonly bare: ServerProcess
  /** In the order of `counts`. */
  readonly seeded: readonly Seeded[]
  /** For files of the measurement, on the disk of the databases. */
  readonly folder: string
}

/**
 * Runs a bare server that answers with this status, and a real one for each number of devices, which were
 * all just seen. Cleans up.
 */
export async function withServers<Result>(
  status: 204 | 304,
  counts: readonly number[],
  measure: (servers: Servers) => Promise<Result>,
): Promise<Result> {
  // Fail before minutes of seeding, not after them.
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
