import { createDeviceToken, registerDevice, tokenHeartbeat } from '@astropelago/contract/devices'
import type { BodyInput } from '@astropelago/contract/route'
import type { APIRequestContext } from '@playwright/test'
import { askApi } from './ask-api.ts'

type Details = Partial<BodyInput<typeof registerDevice>>

/** Registers a device of the signed-in user through the API. */
export function makeDevice(request: APIRequestContext, details: Details = {}) {
  const data = { label: 'Harbour Pi', lat: 48.2082, lon: 16.3738, ...details }
  return askApi(request, registerDevice, { data })
}

export function makeToken(request: APIRequestContext, deviceId: string, label?: string) {
  return askApi(request, createDeviceToken, { data: { deviceId, ...(label && { label }) } })
}

/** Sends a heartbeat with a device token. */
export function sendHeartbeat(request: APIRequestContext, token: string) {
  return askApi(request, tokenHeartbeat, { headers: { authorization: `Bearer ${token}` } })
}
