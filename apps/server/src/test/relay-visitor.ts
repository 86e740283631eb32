import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { TestBrowser } from './create-test-app.ts'
import { makeServedIsland, type Answered, type createRelayApp } from './relay-app.ts'
import { connectAgent, type OnRequest } from './relay-agent.ts'

type RelayApp = Awaited<ReturnType<typeof createRelayApp>>

/** Headers of a browser that opens a page. */
export const opensPage = {
  accept: 'text/html',
  'user-agent': 'Mozilla/5.0',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-dest': 'document',
}

/** Answers with the request's headers and its target, which is called `url`. */
export const echo: OnRequest = ({ headers, url }, response) => {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ ...headers, url }))
}

const webSockets = new WebSocketServer({ noServer: true })

/** A service that accepts every WebSocket and then says nothing. */
export const acceptWebSocket = (request: IncomingMessage, stream: Duplex, head: Buffer) =>
  webSockets.handleUpgrade(request, stream, head, () => undefined)

/** A browser at one island's host name, with the cookies that it got there. A domain stands for a slug. */
export function visitorOf(
  { visit, port }: Pick<RelayApp, 'visit' | 'port'>,
  slug: string,
  signedIn?: TestBrowser,
) {
  const hostName = slug.includes('.') ? slug : `${slug}.localhost`
  const jar = new Map<string, string>()
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const open = async (
    path: string,
    headers: OutgoingHttpHeaders = opensPage,
    method = 'GET',
  ): Promise<Answered> => {
    const held = cookie()
    const answer = await visit({
      path,
      method,
      host: `${hostName}:${port}`,
      headers: { ...headers, ...(held !== '' && { cookie: held }) },
    })
    for (const set of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      jar.set(name, value)
    }
    return answer
  }
  /** Opens a page of the island, and returns what the redirect passes to the site. */
  const beginAt = async (path = '/') => {
    const { headers } = await open(path)
    const site = new URL(headers.location ?? '')
    return { site, state: site.searchParams.get('state') ?? '' }
  }
  const askTicket = (state: string, tellsName = false, by = signedIn) => {
    if (by === undefined) throw new Error('nobody is signed in')
    return by.inject({
      method: 'POST',
      url: `/api/relay/access/${slug}/tickets`,
      payload: { state, tellsName },
    })
  }
  const bring = (ticket: string, to = '/') =>
    open(`/.astropelago/enter?${new URLSearchParams({ ticket, to }).toString()}`)
  /** Goes to the site and comes back with access. */
  const enter = async (tellsName = false) => {
    const { state } = await beginAt('/.astropelago/enter')
    const { ticket } = (await askTicket(state, tellsName)).json<{ ticket: string }>()
    return await bring(ticket)
  }
  return { slug, jar, cookie, open, beginAt, askTicket, bring, enter }
}

/** Makes an island of the relay app's host, with a connected agent. */
export async function openIsland(
  { url, host, visit }: RelayApp,
  to: Parameters<typeof makeServedIsland>[1],
  onRequest: OnRequest = echo,
) {
  const made = await makeServedIsland(host, to)
  const agent = await connectAgent(url, made.token, { onRequest, onUpgrade: acceptWebSocket })
  return { ...made, agent, visit }
}
