import { isIPv4, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** What is kept of where a session was started: enough to tell one's own from another, and no more. */
export interface SessionOrigin {
  /** Such as "Firefox on Linux"; null where the browser did not say. */
  readonly device: string | null
  readonly addressFamily: 4 | 6 | null
}

export const unknownOrigin: SessionOrigin = { device: null, addressFamily: null }

/** Browsers name those that they descend from: the first that fits is meant. */
const browsers = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:(?:Headless)?Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
] as const

const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const

export function sessionOrigin(request: Pick<FastifyRequest, 'headers' | 'ip'>): SessionOrigin {
  const { headers, ip } = request
  return { device: deviceOf(headers['user-agent'] ?? ''), addressFamily: familyOf(ip) }
}

/** Only words of these tables: nothing of what a browser sends is drawn or stored as it came. */
function deviceOf(userAgent: string): string | null {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser === undefined) return system ?? null
  return system === undefined ? browser : `${browser} on ${system}`
}

const mapped4 = '::ffff:'

function familyOf(ip: string): 4 | 6 | null {
  if (isIPv4(ip)) return 4
  if (!isIPv6(ip)) return null
  return ip.startsWith(mapped4) ? 4 : 6
}
