import { tokenHeartbeat } from '@astropelago/contract/devices'
import { seededToken } from '../server/seeded-device.ts'

const maxDevices = 200_000
const head = `${tokenHeartbeat.method} ${tokenHeartbeat.path} HTTP/1.1\r\nHost: bench\r\n`

/** A heartbeat of each device, or of as many as fit into memory, with distant keys after each other. */
export function heartbeatRequests(devices: number): string[] {
  return Array.from({ length: Math.min(devices, maxDevices) }, (_, i) => {
    const token = seededToken(1 + ((i * 611_953) % devices))
    return `${head}Authorization: Bearer ${token}\r\n\r\n`
  })
}
