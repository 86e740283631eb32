import type { DeviceToken, OwnDevice, PublicDevice } from '@astropelago/contract/devices'
import type { DevicePresence } from './device-presence.ts'
import type { DeviceRecord, DeviceTokenRecord } from './devices-store.ts'

export function presentPublicDevice(
  device: DeviceRecord,
  presence: Pick<DevicePresence, 'status'>,
): PublicDevice {
  return {
    id: device.id,
    label: device.label,
    lat: device.lat,
    lon: device.lon,
    status: presence.status(device.key),
    link: device.link,
  }
}

export function presentOwnDevice(device: DeviceRecord, presence: DevicePresence): OwnDevice {
  return {
    ...presentPublicDevice(device, presence),
    visibility: device.visibility,
    lastSeenAt: toIso(presence.lastSeenMs(device.key)),
    createdAt: new Date(device.createdMs).toISOString(),
  }
}

export function presentDeviceToken(token: DeviceTokenRecord): DeviceToken {
  return {
    id: token.id,
    label: token.label,
    start: token.start,
    createdAt: new Date(token.createdMs).toISOString(),
    lastUsedAt: toIso(token.lastUsedMs),
  }
}

function toIso(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
