import { createDeviceToken, type OwnDevice } from '@astropelago/contract/devices'
import type { OwnIsland } from '@astropelago/contract/islands'
import { labelMaxLength } from '@astropelago/contract/limits'
import type { Place } from '@astropelago/contract/place'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../lib/call.ts'
import { isDraft, useOwnIslandChanges } from '../../../lib/islands/own-islands-query.ts'
import type { DraftedDevice } from '../../devices/device-draft.ts'
import { useOwnDeviceChanges } from '../../devices/own-device-changes.ts'
import type { MadeToken } from '../connect-progress.ts'

interface HostingWish {
  /** One of the user's, or where a new one stands. */
  readonly device: OwnDevice | Place
  /** One of the user's; undefined for a new one. */
  readonly island: OwnIsland | undefined
  /** Of a new island. */
  readonly name: string
}

/** By their ids, what there is already of what was wished for. */
export interface Reached {
  device?: string
  island?: string
}

interface StartHostingOptions {
  /** Told of it once, when all is done or something failed: the next try goes on from there. */
  readonly onReached: (reached: Reached) => void
  readonly onToken: (deviceId: string, made: MadeToken) => void
}

/** Makes what hosting takes and is not there yet: a device, an island that it carries, and a token. */
export function useStartHosting({ onReached, onToken }: StartHostingOptions) {
  const { register } = useOwnDeviceChanges()
  const { create, update, publish } = useOwnIslandChanges()
  // A draft that was begun elsewhere is its host's to publish.
  const [madeHere] = useState(() => new Set<string>())

  const carriedIsland = async (device: OwnDevice, { island, name }: HostingWish) => {
    if (island === undefined) {
      const made = await create({ name, kind: 'lab', isRelayed: true, carrier: device.id })
      madeHere.add(made.id)
      return made
    }
    if (isCarriedBy(device, island)) return island
    return await update(island.id, { isRelayed: true, carrier: device.id })
  }

  return useMutation({
    mutationFn: async (wish: HostingWish) => {
      const reached: Reached = {}
      try {
        const { device: wished, name } = wish
        const device = 'id' in wished ? wished : await register(newDevice(name, wished))
        reached.device = device.id
        const island = await carriedIsland(device, wish)
        reached.island = island.id
        if (madeHere.has(island.id) && isDraft(island)) {
          // As it was made: for members alone, and in no list.
          const { door, isListed } = island
          await publish(island.id, { door, isListed })
        }
        const body = { deviceId: device.id, scope: 'relay' } as const
        onToken(device.id, await call(createDeviceToken, { body }))
      } finally {
        onReached(reached)
      }
    },
  })
}

export function isCarriedBy(device: OwnDevice, { isRelayed, carrier }: OwnIsland): boolean {
  return isRelayed && carrier?.id === device.id
}

/** Nobody else sees it until its owner says so. */
function newDevice(name: string, { lat, lon }: Place): DraftedDevice {
  const label = Array.from(`Home of ${name.trim()}`).slice(0, labelMaxLength).join('').trim()
  return { label, lat, lon, precision: 'km10', visibility: 'private' }
}
