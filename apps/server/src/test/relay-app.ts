import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import type { AccessPolicy, OwnIsland } from '@astropelago/contract/islands'
import { onTestFinished } from 'vitest'
import { createTestToken, registerTestDevice } from './api-devices.ts'
import { publishTestIsland } from './api-islands.ts'
import {
  createTestApp,
  shareTestApp,
  type TestApp,
  type TestAppOptions,
  type TestBrowser,
} from './create-test-app.ts'
import { portOf } from './listen.ts'

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly host?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
}

export interface Answered {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Makes a relayed island, with the device that carries it and its agent's token. */
export async function makeServedIsland(
  host: TestBrowser,
  to: { readonly access?: AccessPolicy; readonly isListed?: boolean } = {},
) {
  const device = await registerTestDevice(host)
  const { id: tokenId, token } = await createTestToken(host, device.id, undefined, 'relay')
  const island: OwnIsland = await publishTestIsland(
    host,
    { access: 'public', isListed: false, ...to },
    { address: null, isRelayed: true, carrier: device.id },
  )
  return { device, island, token, tokenId, slug: island.slug }
}

/** Requests an island's front page as a visitor. The body of the answer is discarded. */
export function askIsland(url: string, slug: string): Promise<IncomingMessage> {
  const { port, hostname } = new URL(url)
  return new Promise((resolve, reject) => {
    const headers = { host: `${slug}.localhost:${port}` }
    const sent = request({ host: hostname, port, agent: false, headers })
    onTestFinished(() => void sent.destroy())
    sent.on('error', reject).on('response', (answer) => resolve(answer.resume()))
    sent.end()
  })
}

/** A whole server on a port, with a relayed island. */
export async function createRelayApp({
  isHostTrusted = true,
  ...options
}: TestAppOptions & { readonly isHostTrusted?: boolean } = {}) {
  return await makeRelayApp(await createTestApp(options), isHostTrusted)
}

/**
 * The same, whose server is shared by all tests of a file that call this with the same options. Each test has
 * a host and an island of its own.
 */
export async function shareRelayApp(options?: TestAppOptions, { isHostTrusted = true } = {}) {
  const testApp = await (options === undefined ? createTestApp() : shareTestApp(options))
  return await makeRelayApp(testApp, isHostTrusted)
}

async function makeRelayApp(testApp: TestApp, isHostTrusted: boolean) {
  const { server } = testApp.app
  if (!server.listening) await testApp.app.listen({ host: '127.0.0.1', port: 0 })
  const port = portOf(server)
  const url = `http://127.0.0.1:${port}`
  const host = await testApp.signUp()
  if (isHostTrusted) {
    // This comes before the host's islands are read.
    await testApp.storage.db
      .updateTable('users')
      .set({ relay_trusted_ms: 1 })
      .where('username', '=', host.username)
      .execute()
  }
  const relayed = await makeServedIsland(host)
  const hostName = `${relayed.slug}.localhost:${port}`

  /** Begins a visitor's request. The caller reads the answer. */
  const begin = (asked: Asked = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const { method = 'GET', path = '/', body, headers = {} } = asked
      const sent = request({
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        headers: { host: asked.host ?? hostName, ...headers },
      })
      onTestFinished(() => void sent.destroy())
      sent.on('error', reject).on('response', resolve)
      sent.end(body)
    })
  const visit = async (asked?: Asked): Promise<Answered> => {
    const answer = await begin(asked)
    return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) }
  }
  return { ...testApp, ...relayed, url, port, host, hostName, begin, visit }
}
