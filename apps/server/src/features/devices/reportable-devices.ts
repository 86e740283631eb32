import type { Reportable, ReportableSubject } from '../../reportable.ts'
import type { DeviceRecord, DevicesStore } from './devices-store.ts'

/** Devices that people can report and operators can hide. */
export function reportableDevices(
  store: Pick<DevicesStore, 'find' | 'readById' | 'setHidden'>,
): Reportable {
  const read = async (ids: readonly string[]) => {
    const found = await store.readById(ids)
    return new Map(found.map(({ device, username }) => [device.id, thingOf(device, username)]))
  }
  return {
    find: async (userKey, id) => {
      const found = await store.find(userKey, id)
      return found === undefined || found.isOwn ? undefined : (await read([id])).get(id)
    },
    read,
    setHidden: async (id, hidden) => (await store.setHidden(id, hidden)) !== undefined,
  }
}

function thingOf(device: DeviceRecord, username: string): ReportableSubject {
  const { hiddenMs, hiddenReason } = device
  return {
    name: device.label,
    link: device.link,
    author: username,
    isPublic: device.visibility === 'public',
    hidden: hiddenMs === null ? null : { atMs: hiddenMs, reason: hiddenReason ?? '' },
  }
}
