import { tokenHeartbeat } from '@astropelago/contract/devices'
import { driveLoad, type Load } from '../server/drive-load.ts'
import { seededToken } from '../server/seeded-device.ts'

const head = `${tokenHeartbeat.method} ${tokenHeartbeat.path} HTTP/1.1\r\nHost: bench\r\n`

/** Heartbeats, each with the token of another device than the one before it. */
export function driveHeartbeats(
  url: string,
  tokens: readonly string[],
  durationMs: number,
): Promise<Load> {
  let sent = 0
  return driveLoad({
    url,
    durationMs,
    nextRequest: () => {
      const token = tokens[sent % tokens.length] ?? ''
      sent += 1
      return `${head}Authorization: Bearer ${token}\r\n\r\n`
    },
    answer: { start: 'HTTP/1.1 204 ', end: '\r\n\r\n' },
  })
}

/** The tokens of all devices, or of so many of them, in an order that scatters neighbours. */
export function scatteredTokens(devices: number, atMost: number): string[] {
  const count = Math.min(devices, atMost)
  return Array.from({ length: count }, (_, i) => seededToken(1 + ((i * 611_953) % devices)))
}
