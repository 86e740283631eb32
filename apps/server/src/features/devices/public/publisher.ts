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

/** Where all changes of devices go in, once they are durable; what is private stays here ([P8]). */
export interface Publisher {
  /** Calls back after each change or end of a device, be it private. */
  readonly listen: (listener: (deviceKey: number) => void) => void
  /** A new or changed device. */
  readonly noteDevice: (device: DeviceRecord) => void
  readonly noteEnd: (deviceKey: number) => void
  readonly noteFlips: (deviceKeys: readonly number[], status: Status) => void
  /** Grows with each device that is noted, or its end. */
  readonly changeCount: () => number
  /** Begins to tell in place of another server: with nothing but what is told again. */
  readonly beginToTell: () => void
  /** Tells again what became of a device, which another server may not have come to tell. */
  readonly tellAgain: (deviceKey: number, removedId?: string) => void
}

/** Writes each change to the public devices and hands what the public could see to feed and list. */
export function createPublisher({ devices, messages, list }: PublisherParts): Publisher {
  let changes = 0
  const changed = new Topic<[deviceKey: number]>()
  const takeNote = (deviceKey: number) => {
    changes += 1
    changed.publish(deviceKey)
  }
  const unpublish = (deviceKey: number) => {
    const removedId = devices.delete(deviceKey)
    if (removedId === undefined) return
    messages.note(deviceKey, { removedId })
    list.withdraw(removedId)
  }
  return {
    listen: changed.subscribe,
    changeCount: () => changes,
    beginToTell: () => messages.clear(),
    noteDevice: (device) => {
      takeNote(device.key)
      if (!isPublic(device)) return unpublish(device.key)
      const seen = devices.set(device)
      if (seen === 'nothing') return
      // Where it was shown so far may be more than its owner lets everybody know now.
      if (seen === 'moved' && device.precision !== 'exact') {
        messages.withdraw(device.key)
        list.withdraw(device.id)
      }
      messages.note(device.key, 'changed')
    },
    noteEnd: (deviceKey) => {
      takeNote(deviceKey)
      unpublish(deviceKey)
    },
    tellAgain: (deviceKey, removedId) => {
      // The place told before may be more than its owner lets everybody know now.
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
