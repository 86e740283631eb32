import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BenchRow } from '../bench-row.ts'
import { median } from '../median.ts'
import { seedDevices } from '../server/seed-devices.ts'
import { startServer } from '../server/server-process.ts'

const counts = [0, 1000, 10_000, 100_000, 1_000_000]
const starts = 3
const onlineWindowS = 86_400
/** The budgets that docs/performance.md lists. */
const startAtMostMs = new Map([
  [0, 1000],
  [1_000_000, 8000],
])
const memoryAtMostMb = new Map([[1_000_000, 600]])

/** Measures the start, and memory after serving the list. */
export async function measureStart(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const devices of counts) {
    const folder = mkdtempSync(join(tmpdir(), 'astropelago-bench-'))
    try {
      await seedDevices(folder, devices, 'just seen')
      const times: number[] = []
      const residents: number[] = []
      for (let count = 0; count < starts; count += 1) {
        const server = await startServer(folder, { onlineWindowS })
        times.push(server.startMs)
        const list = await fetch(`${server.url}/api/devices`)
        await list.arrayBuffer()
        residents.push(server.residentKb() / 1000)
        await server.stop()
      }
      const startBudget = startAtMostMs.get(devices)
      const memoryBudget = memoryAtMostMb.get(devices)
      rows.push(
        {
          name: 'start',
          devices,
          value: median(times),
          unit: 'ms',
          ...(startBudget !== undefined && { atMost: startBudget }),
        },
        {
          name: 'memory with the list served',
          devices,
          value: median(residents),
          unit: 'MB',
          ...(memoryBudget !== undefined && { atMost: memoryBudget }),
        },
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return rows
}
