import { createDeviceToken, type OwnDevice } from '@astropelago/contract/devices'
import type { OwnIsland } from '@astropelago/contract/islands'
import { labelMaxLength } from '@astropelago/contract/limits'
import type { Place } from '@astropelago/contract/place'
import { t } from '@lingui/core/macro'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DraftedDevice } from '../../../devices/device-draft.ts'
import { useOwnDeviceChanges } from '../../../devices/own-device-changes.ts'
import { isDraft, useOwnIslandChanges } from '../../../islands/own-islands-query.ts'
import { call } from '../../../lib/call.ts'
import { useAddressParameters } from '../../../lib/use-address-parameters.ts'
import type { MadeToken } from '../connect-progress.ts'

export interface HostingRequest {
  /** An existing device, or the location of a new one. */
  readonly device: OwnDevice | Place
  readonly island: OwnIsland | undefined
  readonly name: string
}

/** The ids of what has been created or found so far. */
interface Reached {
  device?: string
  island?: string
}

interface StartHostingOptions {
  /** Called once, on success or failure. A retry continues from what was reached. */
  readonly onReached: (reached: Reached) => void
  readonly onToken: (deviceId: string, made: MadeToken) => void
}

/** Creates what hosting needs and doesn't exist yet: a device, an island that it carries, and a token. */
export function useStartHosting({ onReached, onToken }: StartHostingOptions) {
  const { register } = useOwnDeviceChanges()
  const { create, update, publish } = useOwnIslandChanges()
  // Only drafts created here are published. Others stay with the Island Builder.
  const [madeHere] = useState(() => new Set<string>())

  const carriedIsland = async (device: OwnDevice, { island, name }: HostingRequest) => {
    if (island === undefined) {
      const made = await create({ name, kind: 'lab', isRelayed: true, carrier: device.id })
      madeHere.add(made.id)
      return made
    }
    if (isCarriedBy(device, island)) return island
    return await update(island.id, { isRelayed: true, carrier: device.id })
  }

  return useMutation({
    mutationFn: async (wish: HostingRequest) => {
      const reached: Reached = {}
      try {
        const { device: wished, name } = wish
        const device = 'id' in wished ? wished : await register(newDevice(name, wished))
        reached.device = device.id
        const island = await carriedIsland(device, wish)
        reached.island = island.id
        if (madeHere.has(island.id) && isDraft(island)) {
          // With its initial settings: for members only, and unlisted.
          const { access, isListed } = island
          await publish(island.id, { access, isListed })
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

/** Private until its owner changes that. */
function newDevice(name: string, { lat, lon }: Place): DraftedDevice {
  const island = name.trim()
  const label = Array.from(t`Home of ${island}`)
    .slice(0, labelMaxLength)
    .join('')
    .trim()
  return { label, lat, lon, precision: 'km10', visibility: 'private' }
}

export const aNewOne = 'new'

/** In the address, so that they survive a reload. Missing values follow from the others. */
export function useHostingPlace(devices: readonly OwnDevice[], islands: readonly OwnIsland[]) {
  const [parameters, changeParameters] = useAddressParameters()
  const [deviceId, islandId] = [parameters.get('device'), parameters.get('island')]
  const named = devices.find(({ id }) => id === deviceId)
  const island =
    islands.find(({ id }) => id === islandId) ??
    (islandId === null && named !== undefined
      ? islands.find((one) => isCarriedBy(named, one))
      : undefined) ??
    aNewOne
  const carrier =
    island === aNewOne ? undefined : devices.find(({ id }) => id === island.carrier?.id)
  const [only] = devices
  const known = carrier ?? (devices.length === 1 ? only : undefined)
  const device = named ?? (deviceId === aNewOne || devices.length === 0 ? aNewOne : known)
  return {
    device,
    island,
    choose: (chosen: { device?: string; island?: string }) => changeParameters({ ...chosen }),
  } as const
}
