import {
  listAllDevices,
  listUserDevices,
  removeDevice,
  type OperatorDevice,
} from '@astropelago/contract/operator'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { DevicePresence } from '../device-presence.ts'
import type { DeviceRecord, DevicesStore } from '../devices-store.ts'
import { endDevice } from '../end-device.ts'
import { presentOwnDevice } from '../present-device.ts'
import type { OperatorDevicesStore } from './operator-devices-store.ts'

interface OperatorDevicesRoutesOptions {
  readonly serve: Serve
  /** Returns undefined if there is no such user. */
  readonly findUserKey: (username: string) => Promise<number | undefined>
  readonly store: DevicesStore
  readonly operatorDevices: OperatorDevicesStore
  readonly presence: DevicePresence
}

export async function operatorDevicesRoutes(
  app: FastifyInstance,
  options: OperatorDevicesRoutesOptions,
) {
  const { serve, findUserKey, store, operatorDevices, presence } = options
  serve(app, listUserDevices, async ({ params: { username } }) => {
    const userKey = await findUserKey(username)
    if (userKey === undefined) throw new DomainError('not_found')
    const devices = await store.listOwn(userKey)
    return { status: 200, body: devices.map((device) => presentOperatorDevice(device, presence)) }
  })

  serve(app, listAllDevices, async ({ query: { limit, ...query } }) => {
    // One more than shown tells whether there is a next page.
    const found = await operatorDevices.list({ ...query, limit: limit + 1 })
    const devices = found
      .slice(0, limit)
      .map(({ device, owner }) => Object.assign(presentOperatorDevice(device, presence), { owner }))
    return { status: 200, body: { devices, hasMore: found.length > limit } }
  })

  serve(
    app,
    removeDevice,
    async ({ params: { id } }) => {
      await endDevice(store, null, id)
      return { status: 204 }
    },
    { audit: ({ params: { id } }) => ({ action: 'device.removed', subject: `device:${id}` }) },
  )
}

function presentOperatorDevice(device: DeviceRecord, presence: DevicePresence): OperatorDevice {
  const { id, label, visibility, status, link, createdAt, lastSeenAt, hidden } = presentOwnDevice(
    device,
    presence,
    // Only the owner sees the report.
    undefined,
  )
  return { id, label, visibility, status, link, createdAt, lastSeenAt, hidden }
}
