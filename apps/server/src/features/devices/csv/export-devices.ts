import { setImmediate as endOfTurn } from 'node:timers/promises'
import { exportedColumns } from '@astropelago/contract/devices-csv'
import type { DevicePresence } from '../device-presence.ts'
import type { DeviceRecord } from '../devices-store.ts'
import { csvRecord } from './csv.ts'

const columns = ['id', 'label', 'lat', 'lon', 'link', 'visibility', 'precision'] as const
const perTurn = 250

/** Devices as a CSV file that an import can read, with further columns for the owner. */
export async function exportDevices(
  devices: readonly DeviceRecord[],
  presence: Pick<DevicePresence, 'status' | 'lastSeenMs'>,
): Promise<string> {
  let text = csvRecord([...columns, ...exportedColumns])
  for (const [at, device] of devices.entries()) {
    text += csvRecord([
      ...columns.map((column) => device[column]),
      presence.status(device.key),
      isoOf(presence.lastSeenMs(device.key)),
      isoOf(device.createdMs),
    ])
    if (at % perTurn === perTurn - 1) await endOfTurn()
  }
  return text
}

function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
