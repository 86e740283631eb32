import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedDevices } from './seed-devices.ts'
import { runBareServer, runServer, type ServerProcess } from './server-process.ts'

const firstPort = 4400

export interface Seeded {
  readonly devices: number
  readonly server: ServerProcess
}

/** Runs a bare server and one real server for each number of devices, and cleans up after them. */
export async function withServers<Result>(
  counts: readonly number[],
  measure: (bare: ServerProcess, seeded: readonly Seeded[], folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'heartbeats-bench-'))
  const running: ServerProcess[] = []
  const started = async (start: Promise<ServerProcess>) => {
    const server = await start
    running.push(server)
    return server
  }
  try {
    const bare = await started(runBareServer(firstPort))
    const seeded: Seeded[] = []
    for (const [i, devices] of counts.entries()) {
      const dataDir = join(folder, `${devices}`)
      await seedDevices(dataDir, devices)
      seeded.push({ devices, server: await started(runServer(dataDir, firstPort + 1 + i)) })
    }
    return await measure(bare, seeded, folder)
  } finally {
    for (const server of running) await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
