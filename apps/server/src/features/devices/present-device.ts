import type {
  DeviceReport,
  DeviceToken,
  OwnDevice,
  PublicDevice,
  PublicDeviceDetails,
} from '@astropelago/contract/devices'
import { coarsePlace } from '@astropelago/contract/place'
import type { DevicePresence } from './device-presence.ts'
import type { DeviceReports, StoredReport } from './device-reports.ts'
import type { DeviceRecord, DeviceTokenRecord, FoundDevice } from './devices-store.ts'

/** Whether everybody may see the device. */
export function isPublic({ visibility, hiddenMs, ownerDisabledMs }: DeviceRecord): boolean {
  return visibility === 'public' && hiddenMs === null && ownerDisabledMs === null
}

/** The public view, with the place as coarse as the owner chose. */
export function presentPublicDevice(
  device: DeviceRecord,
  presence: Pick<DevicePresence, 'status'>,
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

/**
 * The public view, with the time of the last change of status and the owner's name, if the reader may know
 * them.
 */
export async function presentFoundDevice(
  { device, isOwn, publicSinceMs, owner }: FoundDevice,
  presence: Pick<DevicePresence, 'statusSince'>,
): Promise<PublicDeviceDetails> {
  const { status, sinceMs } = await presence.statusSince(device.key)
  const takenMs = status === 'unknown' ? device.createdMs : sinceMs
  // Only the owner may know what happened while the device was private.
  const isAlerted = isOwn || (takenMs ?? 0) >= (publicSinceMs ?? Number.POSITIVE_INFINITY)
  return {
    ...presentPublicDevice(device, { status: () => status }),
    since: isAlerted ? toIso(takenMs) : null,
    owner,
  }
}

/** @param report the device's last report */
export function presentOwnDevice(
  device: DeviceRecord,
  presence: Pick<DevicePresence, 'status' | 'lastSeenMs'>,
  report: StoredReport | undefined,
): OwnDevice {
  const { lat, lon, precision } = device
  const asPublic = presentPublicDevice(device, presence)
  return {
    ...asPublic,
    lat,
    lon,
    precision,
    publicLat: asPublic.lat,
    publicLon: asPublic.lon,
    visibility: device.visibility,
    lastSeenAt: toIso(presence.lastSeenMs(device.key)),
    createdAt: new Date(device.createdMs).toISOString(),
    hidden: presentHidden(device),
    report: report === undefined ? null : presentReport(report),
  }
}

/** Presents several devices of one owner. */
export async function presentOwnDevices(
  devices: readonly DeviceRecord[],
  presence: Pick<DevicePresence, 'status' | 'lastSeenMs'>,
  reports: DeviceReports,
): Promise<OwnDevice[]> {
  const said = await reports.read(devices.map(({ key }) => key))
  const last = new Map(said.map((report) => [report.deviceKey, report]))
  return devices.map((device) => presentOwnDevice(device, presence, last.get(device.key)))
}

function presentReport({ atMs, sinceMs, status, text }: StoredReport): DeviceReport {
  return { at: toIso(atMs), status, since: toIso(sinceMs), text }
}

function presentHidden({ hiddenMs, hiddenReason }: DeviceRecord): OwnDevice['hidden'] {
  if (hiddenMs === null) return null
  return { at: new Date(hiddenMs).toISOString(), reason: hiddenReason ?? '' }
}

export function presentDeviceToken(token: DeviceTokenRecord): DeviceToken {
  return {
    id: token.id,
    label: token.label,
    scope: token.scope,
    start: token.start,
    createdAt: new Date(token.createdMs).toISOString(),
    lastUsedAt: toIso(token.lastUsedMs),
  }
}

function toIso<Ms extends number | null>(ms: Ms): Ms extends number ? string : string | null
function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
