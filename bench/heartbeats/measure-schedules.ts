import { join } from 'node:path'
import type { DeviceSchedule } from '@astropelago/contract/device-schedules'
import type { BenchRow } from '../bench-row.ts'
import { takeTurns, type Target } from '../server/drive-load.ts'
import { seedDevices } from '../server/seed-devices.ts'
import { startServer } from '../server/server-process.ts'
import { onlineWindowS } from '../server/with-servers.ts'

const ofUsualAtLeast = 0.95
const scheduledOneIn = 10
const graceS = 86_400

/** Measures heartbeats of as many devices, of which one in ten has a schedule of its own. */
export async function measureSchedules(
  usual: Target & { readonly devices: number },
  folder: string,
): Promise<BenchRow> {
  const dataDir = join(folder, 'scheduled')
  await seedDevices(dataDir, usual.devices, 'just seen', scheduleOf)
  const server = await startServer(dataDir, { onlineWindowS })
  try {
    const scheduled = { ...usual, server }
    const load = await takeTurns([usual, scheduled])
    const reference = load(usual).perSecond
    return {
      name: 'durable heartbeats, one device in ten with a schedule',
      value: load(scheduled).perSecond,
      unit: 'calls/s',
      reference,
      atLeast: reference * ofUsualAtLeast,
    }
  } finally {
    await server.stop()
  }
}

/** Half of them by cron expressions, of which there are 1,440. */
function scheduleOf(number: number): DeviceSchedule | undefined {
  if (number % scheduledOneIn !== 0) return undefined
  const nth = number / scheduledOneIn
  if (nth % 2 === 0) return { kind: 'period', periodS: 120, graceS }
  const [minute, hour] = [nth % 60, Math.floor(nth / 60) % 24]
  return { kind: 'cron', expression: `${minute} ${hour} * * *`, timeZone: 'Europe/Berlin', graceS }
}
