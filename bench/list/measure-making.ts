import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { PublicDevices } from '../../apps/server/src/features/devices/public/public-devices.ts'
import { PublicList } from '../../apps/server/src/features/devices/public/public-list.ts'
import { sqlDevicesStore } from '../../apps/server/src/features/devices/sql-devices-store.ts'
import { openStorage } from '../../apps/server/src/storage/storage.ts'
import { median } from '../median.ts'
import { seedDevices } from '../server/seed-devices.ts'

/** Enough for the processor's clock, which counts in ticks, to measure short ones. */
const makingsOf = (count: number) => Math.max(7, Math.ceil(200_000 / count))

export interface MakingFigures {
  /** Main-thread time to make the list, without compression. */
  readonly mainThreadMs: number
  /** The longest time for which other work had to wait. */
  readonly longestTurnMs: number
  readonly zstdMs: number
  readonly gzipMs: number
}

/** Makes the list repeatedly in an otherwise idle process. */
export async function measureMaking(count: number): Promise<MakingFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
  await seedDevices(folder, count, 'just seen')
  const storage = await openStorage({
    dataDir: folder,
    onFatal: (error) => {
      throw error
    },
  })
  try {
    const devices = await PublicDevices.load(sqlDevicesStore(storage).loadPublic(), {
      status: () => 'online',
    })
    const makings = makingsOf(count)
    let mainThreadUs = 0
    const longest: number[] = []
    const zstd: number[] = []
    const gzip: number[] = []
    for (let making = 0; making < makings; making += 1) {
      const list = new PublicList({
        devices,
        // Devices report in an order that is unrelated to their keys.
        presence: { lastSeenMs: (key) => 1_700_000_000_000 + ((key * 7919) % 300_000) },
        changes: { sealed: () => Promise.resolve(`e-${making}`), isCurrent: () => true },
        clock: Date.now,
      })
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      const before = process.threadCpuUsage()
      const prepared = await list.prepared()
      const { user, system } = process.threadCpuUsage(before)
      mainThreadUs += user + system
      delay.disable()
      longest.push(delay.max / 1e6)
      for (const [encoding, took] of [
        ['zstd', zstd],
        ['gzip', gzip],
      ] as const) {
        const encodeMs = performance.now()
        await prepared.encoded(encoding)
        took.push(performance.now() - encodeMs)
      }
    }
    return {
      mainThreadMs: mainThreadUs / 1000 / makings,
      longestTurnMs: median(longest),
      zstdMs: median(zstd),
      gzipMs: median(gzip),
    }
  } finally {
    await storage.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
