import type { Status } from '@astropelago/contract/devices'
import type { KindMessages } from '../../../public-messages.ts'
import type { DeviceRecord } from '../devices-store.ts'
import { isPublic } from '../present-device.ts'
import { Topic } from '../../../topic.ts'
import type { PublicDevices } from './public-devices.ts'
import type { PublicList } from './public-list.ts'

interface PublisherParts {
  readonly devices: PublicDevices
  readonly messages: KindMessages
  readonly list: Pick<PublicList, 'withdraw'>
}

/** Receives all changes to devices once they are durable, and passes on only what is public ([P8]). */
export interface Publisher {
  /** Calls back after each change to a device or its deletion, even a private one. */
  readonly listen: (listener: (deviceKey: number) => void) => void
  /** A new or changed device. */
  readonly noteDevice: (device: DeviceRecord) => void
  readonly noteEnd: (deviceKey: number) => void
  readonly noteFlips: (deviceKeys: readonly number[], status: Status) => void
  /** Starts to publish in place of another server. Clears everything but what `tellAgain` then adds. */
  readonly beginToTell: () => void
  /** Publishes a device's change again, in case the other server did not get to it. */
  readonly tellAgain: (deviceKey: number, removedId?: string) => void
}

/** Applies each change to the public devices, and passes its public part to the feed and the list. */
export function createPublisher({ devices, messages, list }: PublisherParts): Publisher {
  const changed = new Topic<[deviceKey: number]>()
  const unpublish = (deviceKey: number) => {
    const removedId = devices.delete(deviceKey)
    if (removedId === undefined) return
    messages.note(deviceKey, { removedId })
    list.withdraw(removedId)
  }
  return {
    listen: changed.subscribe,
    beginToTell: () => messages.clear(),
    noteDevice: (device) => {
      changed.publish(device.key)
      if (!isPublic(device)) return unpublish(device.key)
      const seen = devices.set(device)
      if (seen === 'nothing') return
      // The previous place may reveal more than the owner now allows.
      if (seen === 'moved' && device.precision !== 'exact') {
        messages.withdraw(device.key)
        list.withdraw(device.id)
      }
      messages.note(device.key, 'changed')
    },
    noteEnd: (deviceKey) => {
      changed.publish(deviceKey)
      unpublish(deviceKey)
    },
    tellAgain: (deviceKey, removedId) => {
      // The place published before may reveal more than the owner now allows.
      messages.withdraw(deviceKey)
      if (devices.has(deviceKey)) messages.note(deviceKey, 'changed')
      else if (removedId !== undefined) messages.note(deviceKey, { removedId })
    },
    noteFlips: (deviceKeys, status) => {
      for (const key of deviceKeys) {
        if (devices.setStatus(key, status)) messages.note(key, 'changed')
      }
    },
  }
}
