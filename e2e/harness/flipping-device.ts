import type { PublicDevice, registerDevice } from '@astropelago/contract/devices'
import type { BodyInput } from '@astropelago/contract/route'
import type { APIRequestContext } from '@playwright/test'
import { makeDevice, makeToken, sendHeartbeat } from './devices.ts'

interface FlippingDevice {
  readonly device: Pick<PublicDevice, 'id' | 'label'>
  /** Resolves when the server shows it as online, with the time at which this process learned of it. */
  readonly comeOnline: () => Promise<number>
}

/** A device of the signed-in user that has never reported, and comes online on demand. */
export async function flippingDevice(
  request: APIRequestContext,
  details: Partial<BodyInput<typeof registerDevice>> = {},
): Promise<FlippingDevice> {
  const device = await makeDevice(request, details)
  const { token } = await makeToken(request, device.id)
  return {
    device,
    comeOnline: async () => {
      await sendHeartbeat(request, token)
      return Date.now()
    },
  }
}
