import { DeviceSchedule } from '@astropelago/contract/device-schedules'
import type {
  DeviceToken,
  OwnDevice,
  PublicDevice,
  PublicDeviceDetails,
} from '@astropelago/contract/devices'
import { coarsePlace } from '@astropelago/contract/place'
import * as v from 'valibot'
import { isoTime } from '../../iso-time.ts'
import { presentReport } from '../../present-report.ts'
import type { UnwrittenTimes } from '../../unwritten-times.ts'
import type { Presence, PresenceFeature } from '../presence/public.ts'
import type { DeviceTokenRecord } from './device-tokens-store.ts'
import type { DeviceRecord, FoundDevice } from './devices-store.ts'

type Reports = Pick<PresenceFeature['reports'], 'read'>
type StoredReport = Awaited<ReturnType<Reports['read']>>[number]

export function isPublic({ visibility, hiddenMs, ownerDisabledMs }: DeviceRecord): boolean {
  return visibility === 'public' && hiddenMs === null && ownerDisabledMs === null
}

export function presentPublicDevice(
  device: DeviceRecord,
  presence: Pick<Presence, 'status'>,
): PublicDevice {
  const { lat, lon } = coarsePlace(device, device.precision)
  return {
    id: device.id,
    label: device.label,
    lat,
    lon,
    status: presence.status(device.key),
    link: device.link,
  }
}

export async function presentFoundDevice(
  { device, isOwn, owner }: FoundDevice,
  presence: Pick<Presence, 'statusSince'>,
): Promise<PublicDeviceDetails> {
  const { status, sinceMs } = await presence.statusSince(device.key)
  const changedMs = status === 'unknown' ? device.createdMs : sinceMs
  // Only the owner may know what happened while the device was private.
  const mayKnow = isOwn || (changedMs ?? 0) >= (device.publicSinceMs ?? Number.POSITIVE_INFINITY)
  return {
    ...presentPublicDevice(device, { status: () => status }),
    since: mayKnow ? isoTime(changedMs) : null,
    owner,
  }
}

export function presentOwnDevice(
  device: DeviceRecord,
  presence: Pick<Presence, 'status' | 'lastSeenMs' | 'expectedMs'>,
  lastReport: StoredReport | undefined,
): OwnDevice {
  const { lat, lon, precision, hiddenMs, hiddenReason } = device
  const asPublic = presentPublicDevice(device, presence)
  return {
    ...asPublic,
    lat,
    lon,
    precision,
    publicLat: asPublic.lat,
    publicLon: asPublic.lon,
    visibility: device.visibility,
    isShared: device.isShared === 1,
    schedule: presentSchedule(device.schedule),
    expectedAt: isoTime(presence.expectedMs(device.key)),
    lastSeenAt: isoTime(presence.lastSeenMs(device.key)),
    createdAt: isoTime(device.createdMs),
    hidden: hiddenMs === null ? null : { at: isoTime(hiddenMs), reason: hiddenReason ?? '' },
    report: lastReport === undefined ? null : presentReport(lastReport),
  }
}

export async function presentOwnDevices(
  devices: readonly DeviceRecord[],
  presence: Pick<Presence, 'status' | 'lastSeenMs' | 'expectedMs'>,
  reports: Reports,
): Promise<OwnDevice[]> {
  const read = await reports.read(devices.map(({ key }) => key))
  const byDevice = new Map(read.map((report) => [report.deviceKey, report]))
  return devices.map((device) => presentOwnDevice(device, presence, byDevice.get(device.key)))
}

export function presentSchedule(stored: string | null): DeviceSchedule | null {
  return stored === null ? null : v.parse(DeviceSchedule, JSON.parse(stored))
}

export function presentDeviceToken(
  { key, id, label, scope, start, createdMs, lastUsedMs }: DeviceTokenRecord,
  unwrittenUses: Pick<UnwrittenTimes, 'atMs'>,
): DeviceToken {
  const lastUsedAt = isoTime(unwrittenUses.atMs(key) ?? lastUsedMs)
  return { id, label, scope, start, createdAt: isoTime(createdMs), lastUsedAt }
}
