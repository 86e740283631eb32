import {
  OwnDevice,
  registerDevice,
  createDeviceToken,
  type TokenScope,
} from '@astropelago/contract/devices'
import * as v from 'valibot'
import type { TestApp, TestBrowser } from './create-test-app.ts'

export const deviceDetails = { label: 'Pi', lat: 1.5, lon: -2.5 }

type RegisteredDevice = v.InferOutput<(typeof registerDevice.answers)[201]>
type CreatedToken = v.InferOutput<(typeof createDeviceToken.answers)[201]>

/** Registers a public device through the API. */
export async function registerTestDevice(
  { inject }: TestBrowser,
  details: Readonly<Record<string, unknown>> = {},
): Promise<RegisteredDevice> {
  const response = await inject({
    method: 'POST',
    url: registerDevice.path,
    payload: { ...deviceDetails, ...details },
  })
  if (response.statusCode !== 201) throw new Error(`Registering failed: ${response.body}`)
  return v.parse(registerDevice.answers[201], response.json())
}

export async function createTestToken(
  { inject }: TestBrowser,
  deviceId: string,
  label?: string,
  scope?: TokenScope,
): Promise<CreatedToken> {
  const response = await inject({
    method: 'POST',
    url: createDeviceToken.path,
    payload: { deviceId, ...(label !== undefined && { label }), ...(scope && { scope }) },
  })
  if (response.statusCode !== 201) throw new Error(`No token: ${response.body}`)
  return v.parse(createDeviceToken.answers[201], response.json())
}

/** Sends a heartbeat by device token, and returns the status of the answer. */
export async function sendHeartbeat({ inject }: Pick<TestApp, 'inject'>, token: string) {
  const response = await inject({
    method: 'POST',
    url: '/api/devices/heartbeat-token',
    headers: { authorization: `Bearer ${token}` },
  })
  return response.statusCode
}

export async function listOwnDevices({ inject }: TestBrowser): Promise<OwnDevice[]> {
  const response = await inject({ url: '/api/me/devices' })
  return v.parse(v.array(OwnDevice), response.json())
}
