import {
  listAllDevices,
  listUserDevices,
  removeDevice,
  type OperatorDevice,
} from '@astropelago/contract/operator'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { cutPage } from '../../../page-position.ts'
import type { Presence } from '../../presence/public.ts'
import type { DeviceRecord, DevicesStore } from '../devices-store.ts'
import { presentOwnDevice } from '../present-device.ts'
import type { OperatorDevicesStore } from './operator-devices-store.ts'

export async function operatorDevicesRoutes(
  app: FastifyInstance,
  {
    serve,
    findUserKey,
    store,
    operatorDevices,
    presence,
  }: {
    readonly serve: Serve
    readonly findUserKey: (username: string) => Promise<number | undefined>
    readonly store: Pick<DevicesStore, 'listOwn' | 'delete'>
    readonly operatorDevices: Pick<OperatorDevicesStore, 'list'>
    readonly presence: Presence
  },
) {
  serve(app, listUserDevices, async ({ params: { username } }) => {
    const userKey = await findUserKey(username)
    if (userKey === undefined) throw new DomainError('not_found')
    const devices = await store.listOwn(userKey)
    return { status: 200, body: devices.map((device) => presentOperatorDevice(device, presence)) }
  })

  serve(app, listAllDevices, async ({ query: { limit, ...query } }) => {
    const found = await operatorDevices.list({ ...query, limit: limit + 1 })
    const { shown, last } = cutPage(found, limit)
    const devices = shown.map(({ device, owner }) =>
      Object.assign(presentOperatorDevice(device, presence), { owner }),
    )
    return { status: 200, body: { devices, hasMore: last !== undefined } }
  })

  serve(
    app,
    removeDevice,
    async ({ params: { id } }) => {
      if ((await store.delete(null, id)) === undefined) throw new DomainError('not_found')
      return { status: 204 }
    },
    { audit: ({ params: { id } }) => ({ action: 'device.removed', subject: `device:${id}` }) },
  )
}

function presentOperatorDevice(device: DeviceRecord, presence: Presence): OperatorDevice {
  // Only the owner sees the report.
  const shown = presentOwnDevice(device, presence, undefined)
  const { id, label, visibility, status, link, createdAt, lastSeenAt, hidden } = shown
  return { id, label, visibility, status, link, createdAt, lastSeenAt, hidden }
}
