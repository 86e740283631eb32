import type { Status } from '@astropelago/contract/devices'
import * as v from 'valibot'
import type { Change } from '../../../cluster/cluster.ts'
import type { KindMessages } from '../../../public-messages.ts'
import { Topic } from '../../../topic.ts'
import type { DeviceRecord } from '../devices-store.ts'
import { isPublic } from '../present-device.ts'
import type { PublicDevices } from './public-devices.ts'
import type { PublicList } from './public-list.ts'

/** Ids of devices that are no longer public, by key. */
const RemovedIds = v.record(v.string(), v.string())

interface PublisherParts {
  readonly devices: PublicDevices
  readonly messages: KindMessages
  readonly list: Pick<PublicList, 'withdraw'>
}

export type Publisher = ReturnType<typeof createPublisher>

/** Receives all changes to devices once they are durable, and publishes only what is public ([P8]). */
export function createPublisher({ devices, messages, list }: PublisherParts) {
  const changed = new Topic<[deviceKey: number]>()
  const unpublish = (deviceKey: number) => {
    const removedId = devices.delete(deviceKey)
    if (removedId === undefined) return
    messages.note(deviceKey, { removedId })
    list.withdraw(removedId)
  }
  return {
    listen: changed.subscribe,
    set: (device: DeviceRecord): void => {
      changed.publish(device.key)
      if (!isPublic(device)) return unpublish(device.key)
      const seen = devices.set(device)
      if (seen === 'nothing') return
      // What was sent may reveal more than the owner now allows.
      if (seen === 'unshared' || (seen === 'moved' && device.precision !== 'exact')) {
        messages.withdraw(device.key)
        list.withdraw(device.id)
      }
      messages.note(device.key, 'changed')
    },
    delete: (deviceKey: number): void => {
      changed.publish(deviceKey)
      unpublish(deviceKey)
    },
    setStatus: (deviceKeys: readonly number[], status: Status): void => {
      for (const key of deviceKeys) {
        if (devices.setStatus(key, status)) messages.note(key, 'changed')
      }
    },
    publishAgain: (rows: readonly Change[]): void => {
      messages.clear()
      for (const { topic, keys, details } of rows) {
        if (topic !== 'devices' && topic !== 'heartbeats' && topic !== 'offline') continue
        const removed = v.parse(RemovedIds, details ?? {})
        for (const key of keys) {
          // The place published before may reveal more than the owner now allows.
          messages.withdraw(key)
          const removedId = removed[key]
          if (devices.records.has(key)) messages.note(key, 'changed')
          else if (removedId !== undefined) messages.note(key, { removedId })
        }
      }
    },
  }
}
