import type { IncomingMessage, ServerResponse } from 'node:http'
import { healthz, readMetrics, readyz } from '@astropelago/contract/health'
import { tlsAllowed } from '@astropelago/contract/relay'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import { type Config, isLocalName } from '../config.ts'
import { nameOf, readHostNames } from './host-names.ts'
import { isPrivateName } from './private-name.ts'

/** Whether a request is for a host that this server does not serve. */
export type IsElsewhere = (request: IncomingMessage) => boolean

const warnEveryMs = 60_000
const shownMax = 100
/** Load balancers, proxies and monitors call these at a server's address or internal name. */
const forMachines: ReadonlySet<string> = new Set(
  [healthz, readyz, readMetrics, tlsAllowed].map(({ path }) => path),
)

/** With a PUBLIC_URL beyond this machine, the site is at that host only. */
export function siteHost(
  { publicUrl, hasPublicUrl }: Pick<Config, 'publicUrl' | 'hasPublicUrl'>,
  { clock, log }: { readonly clock: Clock; readonly log: Pick<FastifyBaseLogger, 'warn'> },
): IsElsewhere {
  const own = nameOf(new URL(publicUrl).host)
  if (!hasPublicUrl || isLoopback(own)) return () => false
  let warnedMs = -Infinity
  const warn = (asked: string) => {
    if (clock() - warnedMs < warnEveryMs) return
    warnedMs = clock()
    log.warn(
      { asked: asked.replaceAll(/[\p{Cc}\p{Cf}]/gu, '').slice(0, shownMax), publicUrl },
      'refused a request for another host than PUBLIC_URL’s: a proxy in front must pass on the Host header',
    )
  }
  /** The last Host that was ours. Heartbeats pay 0.004 µs for it instead of 0.16. */
  let known: string | undefined
  return (request) => {
    const { host } = request.headers
    // A request that names another host besides is not judged here.
    if (host === undefined || host === known) return false
    const { names } = readHostNames(request)
    const [name = ''] = names
    if (names.size !== 1 || name === '') return false
    if (name === own) {
      known = host
      return false
    }
    const path = request.url?.split('?', 1)[0] ?? ''
    if (forMachines.has(path) && isPrivateName(name)) return false
    warn(host)
    return true
  }
}

/** HTTP/2 clients that share a connection between hosts then try again on a connection of its own. */
export function refuseElsewhere(response: ServerResponse): void {
  response.writeHead(421, { 'cache-control': 'no-store', 'content-length': 0 }).end()
}

function isLoopback(name: string): boolean {
  return isLocalName(name) || /^(?:127(?:\.\d+){3}|\[::1\])$/.test(name)
}
