import { counted, type OwnDataKind } from '../../own-data.ts'
import type { DevicePresence } from './device-presence.ts'
import type { DeviceReports } from './device-reports.ts'
import type { DevicesStore } from './devices-store.ts'
import { presentDeviceToken, presentOwnDevices } from './present-device.ts'
import { withLastUse, type TokenUses } from './token-uses.ts'

interface OwnDevicesDataDeps {
  readonly store: Pick<DevicesStore, 'countOwn' | 'listOwn' | 'listTokens'>
  readonly presence: DevicePresence
  readonly reports: DeviceReports
  readonly tokenUses: TokenUses
}

/** Devices in an account's export: each as its owner sees it, and its tokens without their secrets. */
export function ownDevicesData({
  store,
  presence,
  reports,
  tokenUses,
}: OwnDevicesDataDeps): OwnDataKind {
  return {
    kind: 'devices',
    count: store.countOwn,
    text: (count) => counted(count, 'device with its tokens', 'devices with their tokens'),
    read: async function* (userKey) {
      const devices = await store.listOwn(userKey)
      const shown = await presentOwnDevices(devices, presence, reports)
      for (const [at, device] of devices.entries()) {
        const tokens = await store.listTokens(device.key)
        yield JSON.stringify({
          ...shown[at],
          tokens: tokens.map((token) => presentDeviceToken(withLastUse(token, tokenUses))),
        })
      }
    },
  }
}
