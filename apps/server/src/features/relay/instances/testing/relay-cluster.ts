import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { startServer, type TestServer } from '../../../../cluster/testing/test-cluster.ts'
import type { Config } from '../../../../config.ts'
import { openCuttableProxy, type CuttableProxy } from '../../../../test/cuttable-proxy.ts'
import { freePort } from '../../../../test/listen.ts'
import { openTestDatabase } from '../../../../test/open-test-storage.ts'
import { makeServedIsland, type Answered } from '../../../../test/relay-app.ts'

export interface RelayServer extends TestServer {
  /** The proxy through which other servers reach it. */
  readonly hops: CuttableProxy
}

/** Servers that hand visitors on to one another, and an island hosted by a user of the first one. */
export async function startRelayCluster(size: number, config: Partial<Config> = {}) {
  const databaseUrl = await openTestDatabase()
  const servers: RelayServer[] = []
  while (servers.length < size) servers.push(await startRelayServer(databaseUrl, config))
  const [first] = servers
  if (first === undefined) throw new Error('no server')
  const host = await first.signUp()
  const relayed = await makeServedIsland(host)
  return { databaseUrl, servers, host, ...relayed, hostName: `${relayed.slug}.localhost` }
}

export async function startRelayServer(
  databaseUrl: string,
  config: Partial<Config> = {},
): Promise<RelayServer> {
  const port = await freePort()
  const hops = await openCuttableProxy(port)
  const instanceUrl = `http://127.0.0.1:${hops.port}`
  return { ...(await startServer(databaseUrl, { instanceUrl, ...config }, port)), hops }
}

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string | Buffer
}

/** Sends a visitor's request and leaves the answer's body unread. */
export function beginVisit(url: string, host: string, asked: Asked = {}): Promise<IncomingMessage> {
  const { method = 'GET', path = '/', headers = {}, body } = asked
  return new Promise((resolve, reject) => {
    const sent = request(new URL(url), {
      method,
      path,
      agent: false,
      headers: { ...headers, host },
    })
    onTestFinished(() => void sent.destroy())
    sent.on('error', reject).on('response', resolve)
    sent.end(body)
  })
}

export async function visit(url: string, host: string, asked?: Asked): Promise<Answered> {
  const answer = await beginVisit(url, host, asked)
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) }
}
