import {
  deleteDevice,
  listOwnDevices,
  type OwnDevice,
  registerDevice,
  updateDevice,
} from '@astropelago/contract/devices'
import { answerApi, refused } from '../../test/answer-api.ts'
import { sampleDevice } from '../../test/samples.ts'

/** Answers calls about the user's devices like the server, including changes. */
export function answerOwnDevices(...devices: OwnDevice[]) {
  const replace = (id: string, changes: Partial<OwnDevice>) => {
    const index = devices.findIndex((device) => device.id === id)
    const device = devices[index]
    if (device === undefined) return undefined
    const changed = { ...device, ...changes }
    devices.splice(index, 1, changed)
    return changed
  }
  const listed = answerApi(listOwnDevices, () => ({ status: 200, body: devices }))
  const registered = answerApi(registerDevice, ({ body }) => {
    const device = sampleDevice(body)
    devices.push(device)
    return { status: 201, body: device }
  })
  answerApi(updateDevice, ({ params, body }) => {
    const changed = replace(params.id, body)
    return changed === undefined ? refused('not_found') : { status: 200, body: changed }
  })
  answerApi(deleteDevice, ({ params }) => {
    devices.splice(0, devices.length, ...devices.filter(({ id }) => id !== params.id))
    return { status: 204 }
  })
  return { devices, listed, registered, replace }
}
