import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createDeviceToken } from '@astropelago/contract/devices'
import { getIsland } from '@astropelago/contract/islands'
import { expect, type APIRequestContext } from '@playwright/test'
import { askApi } from './ask-api.ts'
import { makeDevice } from './devices.ts'

const agentFile = fileURLToPath(new URL('../../packages/agent/src/agent.mjs', import.meta.url))

/** Makes a service listen on this machine, as one at home does. */
export async function listenAtHome(service: Server) {
  service.listen(0, '127.0.0.1')
  await once(service, 'listening')
  const address = service.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const close = () => {
    service.closeAllConnections()
    service.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

/** An agent at home, connected for the islands that the host's device carries. */
export async function startAgent(serverUrl: string, serviceUrl: string, token: string) {
  const folder = await mkdtemp(join(tmpdir(), 'relay-door-'))
  const tokenFile = join(folder, 'token')
  await writeFile(tokenFile, token, { mode: 0o600 })
  const options = ['--to', serviceUrl, '--server', serverUrl, '--token-file', tokenFile]
  const agent = spawn(process.execPath, [agentFile, ...options], { stdio: 'ignore' })
  return async () => {
    agent.kill()
    await rm(folder, { recursive: true })
  }
}

/** A device that can carry islands, and its relay token. */
export async function makeCarrier(request: APIRequestContext) {
  const { id } = await makeDevice(request)
  const { token } = await askApi(request, createDeviceToken, {
    data: { deviceId: id, scope: 'relay' },
  })
  return { deviceId: id, token }
}

export async function expectOpen(request: APIRequestContext, slug: string): Promise<void> {
  const isOpen = async () => (await askApi(request, getIsland, { params: { slug } })).isOpen
  await expect.poll(isOpen).toBe(true)
}
