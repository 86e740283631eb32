import { randomUUID } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import { sessionsPerUser } from '@astropelago/contract/limits'
import type { FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import { hashToken, makeToken } from '../../secret-token.ts'
import type { AccountsParts } from './accounts-parts.ts'
import type { SessionRecord } from './accounts-store.ts'

export type SessionOrigin = Pick<SessionRecord, 'device' | 'addressFamily'>

/**
 * Also ends the browser's previous session, so a token planted before sign-in is worthless after it.
 * @throws DomainError `invalid_credentials` if the password of `verifiedHash` has changed
 */
export async function startSession(
  { store, clock }: Pick<AccountsParts, 'store' | 'clock'>,
  userKey: number,
  presentedToken: string | undefined,
  options: { readonly origin?: SessionOrigin | undefined; readonly verifiedHash?: string } = {},
): Promise<string> {
  const { origin = { device: null, addressFamily: null }, verifiedHash } = options
  const token = makeToken()
  const nowMs = clock()
  const isStarted = await store.startSession(
    {
      tokenHash: hashToken(token),
      id: randomUUID(),
      userKey,
      ...origin,
      createdMs: nowMs,
      lastUsedMs: nowMs,
    },
    presentedToken === undefined ? null : hashToken(presentedToken),
    sessionsPerUser,
    verifiedHash,
  )
  if (!isStarted) throw new DomainError('invalid_credentials')
  return token
}

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

export function sessionOrigin({
  headers,
  ip,
}: Pick<FastifyRequest, 'headers' | 'ip'>): SessionOrigin {
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
