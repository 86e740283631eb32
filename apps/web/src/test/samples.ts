import type { OwnCheck } from '@astropelago/contract/checks'
import type { User } from '@astropelago/contract/me'
import type { DeviceReport, DeviceToken, OwnDevice } from '@astropelago/contract/devices'
import { coarsePlace } from '@astropelago/contract/place'

/** Data as the server sends it, for tests that do not depend on the details. */
export const sampleUser: User = {
  username: 'Nav-11aa22bb',
  name: null,
  avatar: null,
  hue: null,
  isNamePublic: false,
  isDemo: false,
  isOperator: false,
}

/** A picture of one pixel, in place of a picture from the server. */
export const samplePicture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

export function sampleCheck(details: Partial<OwnCheck> = {}): OwnCheck {
  return {
    id: 'website',
    name: 'Website',
    target: { kind: 'tcp', host: 'example.org', port: 443, periodS: 60, timeoutS: 10 },
    visibility: 'public',
    isPaused: false,
    island: null,
    device: null,
    status: 'up',
    since: '2030-01-02T03:04:05.000Z',
    checkedAt: null,
    note: null,
    tookMs: null,
    createdAt: '2026-01-02T03:04:05.000Z',
    hidden: null,
    ...details,
  }
}

export function sampleDevice(details: Partial<OwnDevice> = {}): OwnDevice {
  const { lat = 48.2082, lon = 16.3738, precision = 'exact' } = details
  const shown = coarsePlace({ lat, lon }, precision)
  return {
    id: crypto.randomUUID(),
    label: 'Lighthouse',
    lat,
    lon,
    precision,
    publicLat: shown.lat,
    publicLon: shown.lon,
    status: 'unknown',
    link: null,
    visibility: 'public',
    isShared: false,
    schedule: null,
    expectedAt: null,
    lastSeenAt: null,
    createdAt: '2026-01-02T03:04:05.000Z',
    report: null,
    hidden: null,
    ...details,
  }
}

export function sampleReport(details: Partial<DeviceReport> = {}): DeviceReport {
  const at = '2026-01-02T03:04:05.000Z'
  const run = { exitCode: null, durationMs: null, runningSince: null }
  return { at, status: 'ok', since: at, text: null, ...run, ...details }
}

export function sampleToken(details: Partial<DeviceToken> = {}): DeviceToken {
  return {
    id: crypto.randomUUID(),
    label: null,
    scope: 'report',
    start: 'apd_1234',
    createdAt: '2026-01-02T03:04:05.000Z',
    lastUsedAt: null,
    ...details,
  }
}
