import {
  createDeviceToken,
  registerDevice,
  OwnDevice,
  type TokenScope,
} from '@astropelago/contract/devices'
import * as v from 'valibot'
import { deviceDetails } from './api-devices.ts'
import { testPassword } from './factories.ts'

/** Calls a real server over its socket, like one signed-in browser. */
export interface HttpClient {
  readonly url: string
  /** Sends an object as JSON, and a text as it is. */
  readonly call: (method: string, path: string, body?: object | string) => Promise<Response>
  readonly registerDevice: () => Promise<string>
  readonly createToken: (deviceId: string, scope?: TokenScope) => Promise<string>
  readonly listOwnDevices: () => Promise<OwnDevice[]>
}

/** Signs in, and registers the account if it does not exist. */
export async function signInOverHttp(url: string, username: string): Promise<HttpClient> {
  let cookie = ''
  const call = (method: string, path: string, body?: object | string) =>
    fetch(new URL(path, url), {
      method,
      headers: {
        cookie,
        ...(body !== undefined && {
          'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
        }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
  const credentials = { username, password: testPassword }
  let response = await call('POST', '/api/auth/register', credentials)
  if (response.status === 409) {
    response = await call('POST', '/api/auth/password-login', credentials)
  }
  if (!response.ok) throw new Error(`Signing in failed: ${await response.text()}`)
  cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')

  return {
    url,
    call,
    registerDevice: async () => {
      const answer = await call('POST', registerDevice.path, deviceDetails)
      return v.parse(registerDevice.answers[201], await answer.json()).id
    },
    createToken: async (deviceId, scope) => {
      const answer = await call('POST', createDeviceToken.path, { deviceId, scope })
      return v.parse(createDeviceToken.answers[201], await answer.json()).token
    },
    listOwnDevices: async () => {
      const answer = await call('GET', '/api/me/devices')
      return v.parse(v.array(OwnDevice), await answer.json())
    },
  }
}

/** Sends a heartbeat by device token, and resolves with the status of the answer. */
export async function sendHeartbeatOverHttp(url: string, token: string): Promise<number> {
  const response = await fetch(new URL('/api/devices/heartbeat-token', url), {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  await response.arrayBuffer()
  return response.status
}
