import { isIPv4, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** What is stored about where a session started: just enough for users to tell their sessions apart. */
export interface SessionOrigin {
  /** Such as "Firefox on Linux"; null if the browser did not say. */
  readonly device: string | null
  readonly addressFamily: 4 | 6 | null
}

export const unknownOrigin: SessionOrigin = { device: null, addressFamily: null }

/** Browsers also name their ancestors, so the first match counts. */
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

/** Returns only words from these tables, so nothing that a browser sends is stored or shown as it is. */
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
