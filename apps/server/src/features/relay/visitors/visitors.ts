import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { OtherHosts } from '../../../http/early-answers.ts'
import { sentTo } from '../../../http/connections.ts'
import { answerOn } from '../../../http/protocol-upgrades.ts'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import type { Admission } from '../access/admission.ts'
import type { RelayAccess } from '../access/relay-access.ts'
import type { ReachableAgents } from '../agents/reachable-agents.ts'
import type { HostedPagesFeature } from '../../hosted-pages/public.ts'
import { answersProof } from '../host-state/open-from-outside.ts'
import type { ServiceHealth } from '../host-state/service-health.ts'
import type { RelayBase } from '../relay-base.ts'
import { ownOrigin, type ServedIsland } from '../served-islands.ts'
import { requestHeaders } from './forwarded-headers.ts'
import { forwardRequest, type Forwarding } from './forward-request.ts'
import {
  badRequest,
  nothingHere,
  redirect,
  sendLine,
  tooMany,
} from '../../../http/short-answers.ts'
import { runtimeSocketPath } from '@astropelago/contract/island-runtime'
import type { EnteredVisitor, IslandRuntimeFeature } from '../../island-runtime/public.ts'
import { previewSlug } from '../../../relay-address.ts'
import { namesOnce, readHost, site, type IslandHost, type RequestedHost } from './read-host.ts'
import { Turns } from './turns.ts'
import { networkOf } from './visitor-address.ts'
import { answerState, serviceFailure, type VisitorState } from './visitor-states.ts'

type Entered = Extract<Admission, { kind: 'enter' }>

interface Asked {
  readonly request: IncomingMessage
  readonly host: IslandHost
  readonly answered: () => ServerResponse
}

export function createVisitors(
  options: RelayBase & {
    readonly relayDomain: string
    readonly access: RelayAccess
    readonly agents: ReachableAgents
    readonly health: ServiceHealth
    readonly hostedPages: Pick<HostedPagesFeature, 'servePages' | 'previews'>
    readonly islandRuntime: Pick<IslandRuntimeFeature, 'sockets' | 'files'>
  },
): OtherHosts {
  const { access, addressOf, agents, clock, cluster, config, counts, health, log, pages } = options
  const { islands, hostedPages, islandRuntime, relayDomain } = options
  const { protocol, hostname: siteName } = new URL(config.publicUrl)
  const scheme = protocol.slice(0, -1)
  /** The last host that was the site's. Nearly all heartbeats name it: 0.05 µs instead of 0.25. */
  let siteHost: string | undefined
  /** How many transfers are in progress on each connection. The relay applies its own timeouts to these. */
  const watched = new WeakMap<Socket, number>()
  const turns = new Turns()
  // It may have become an island's domain.
  islands.onChange(() => (siteHost = undefined))
  const isOwnDomain = (name: string) =>
    name !== siteName && islands.findByDomain(name) !== undefined

  const answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const host = hostOf(request)
    if (host.kind === 'site') return false
    whenCurrent(
      () => response,
      () => answerHost(response, host),
    )
    return true
  }

  const upgrade = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    socket.on('error', () => socket.destroy())
    let response: ServerResponse | undefined
    const answered = () => (response ??= answerOn(request, socket))
    whenCurrent(answered, () => {
      const host = hostOf(request)
      if (host.kind !== 'island') {
        refuse(answered(), host)
        return
      }
      const asked = { request, host, answered }
      if (host.path.split('?', 1)[0] === runtimeSocketPath) {
        connectRuntime(asked, socket, head)
        return
      }
      admitThen(asked, (entered) => {
        if (entered.island.isHosted) {
          sendLine(answered(), nothingHere)
          return
        }
        watch(socket, socket)
        inTurn(asked, entered, (now) => void forward(asked, now, { webSocket: { socket, head } }))
      })
    })
  }

  const connectRuntime = (asked: Asked, socket: Socket, head: Buffer): void => {
    const { request, host, answered } = asked
    const admit = async () => {
      const admission = await access.admit(request, host)
      if (admission.kind !== 'enter' || admission.island.isStopped) return undefined
      return visitorOf(admission)
    }
    const { authority } = host
    const network = options.networkOf(request)
    islandRuntime.sockets
      .upgrade({ request, socket, head, authority, network, answered, admit })
      .catch((error: unknown) => fail(asked, error))
  }

  /** A server that is cut off does not know which islands were closed, so it lets no visitor in. */
  const whenCurrent = (answered: () => ServerResponse, goOn: () => void): void => {
    if (cluster.isCurrent()) {
      goOn()
      return
    }
    cluster.whenCurrent().then(goOn, () => {
      const response = answered()
      if (response.destroyed || response.socket?.destroyed === true) return
      response.shouldKeepAlive = false
      sendLine(response, {
        status: 503,
        text: 'This server can’t reach its database at the moment. Try again.\n',
        headers: { 'retry-after': '2' },
      })
    })
  }

  const answerHost = (response: ServerResponse, host: RequestedHost): void => {
    const request = response.req
    if (answersProof(response, host, config.publicUrl)) return
    if (pages.answersFont(response, host)) return
    if (host.kind !== 'island') {
      refuse(response, host)
      return
    }
    const asked = { request, host, answered: () => response }
    const isPreview = !host.isOwnDomain && host.slug === previewSlug
    if (islandRuntime.files.answers(response, host.path, isPreview)) return
    if (isPreview) {
      hostedPages.previews
        .answer(response, host.path, options.networkOf(request))
        .catch((error: unknown) => fail(asked, error))
      return
    }
    admitThen(asked, (entered) => {
      if (entered.island.isHosted) {
        sendPages(asked, entered)
        return
      }
      watch(request.socket, response)
      inTurn(asked, entered, (now) => void forward(asked, now, {}))
    })
  }

  const hostOf = (request: IncomingMessage): RequestedHost => {
    if (namesOnce(request, siteHost)) return site
    const host = readHost(request, relayDomain, isOwnDomain)
    if (host.kind === 'site') siteHost = request.headers.host
    return host
  }

  const admitThen = (asked: Asked, enter: (entered: Entered) => void): void => {
    const { request, host, answered } = asked
    const { entryFlow } = access
    if (entryFlow.takes(host.path)) {
      entryFlow.answer(answered(), host).catch((error: unknown) => fail(asked, error))
      return
    }
    const admission = access.admit(request, host)
    if (!(admission instanceof Promise)) {
      proceed(asked, admission, enter)
      return
    }
    admission
      .then((admitted) => proceed(asked, admitted, enter))
      .catch((error: unknown) => fail(asked, error))
  }

  const proceed = (asked: Asked, admission: Admission, enter: (entered: Entered) => void): void => {
    const { request, host, answered } = asked
    if (request.socket.destroyed) return
    if (redirectsToOwnDomain(asked, admission)) return
    if (admission.kind === 'enter') {
      enter(admission)
      return
    }
    if (admission.kind === 'paused') {
      sendState(answered(), 'paused', admission.island)
      return
    }
    if (admission.kind === 'first-visit' && !hasSomething(admission.island)) {
      // Do not ask visitors whether to go on to an island that is not connected.
      sendState(answered(), stateWithoutAgent(admission.island), admission.island)
      return
    }
    counts.refuse(admission.kind)
    if (admission.kind === 'first-visit') {
      access.sendFirstVisit(answered(), host, admission.island)
    } else if (admission.kind === 'too-many') {
      sendLine(answered(), tooMany(admission.waitMs))
    } else access.sendElsewhere(answered(), host)
  }

  const hasSomething = (island: ServedIsland) =>
    island.isHosted ? hasPages(island) : agents.find(island) !== undefined || hasStandIn(island)

  const hasStandIn = (island: ServedIsland) =>
    hasPages(island) && stateWithoutAgent(island) === 'closed'

  const sendPages = ({ host, answered }: Asked, { island, grant }: Entered, isStandIn = false) => {
    const { key: islandKey, isHostTrusted, hostKey, mayAnybodyKnow, mayAnybodyEnter } = island
    if (island.pages === null || island.isStopped) {
      sendState(answered(), stateWithoutAgent(island), island)
      return
    }
    counts.pages += 1
    const { begin } = access.transfersOf(grant, host)
    hostedPages.servePages(answered(), host.path, {
      islandKey,
      deploymentKey: island.pages.key,
      policy: {
        isTrusted: isHostTrusted || hostKey === null,
        framedBy: null,
        isFindable: mayAnybodyKnow && !isStandIn,
      },
      isPrivate: !mayAnybodyEnter,
      isStandIn,
      beginTransfer: (response) =>
        begin({
          islandKey,
          network: options.networkOf(response.req),
          progress: () => sentTo(response.req.socket),
          isWaiting: () => true,
          waitingBytes: () => response.writableLength,
          cut: () => response.destroy(),
        }),
    })
  }

  /** Temporarily, because the proof may end. Others get what they get at any address. */
  const redirectsToOwnDomain = ({ host, answered }: Asked, admission: Admission): boolean => {
    if (host.isOwnDomain || (admission.kind !== 'enter' && admission.kind !== 'first-visit')) {
      return false
    }
    const origin = ownOrigin(admission.island, config.publicUrl)
    if (origin === null) return false
    const path = host.path.startsWith('/') ? host.path : '/'
    sendLine(answered(), redirect(origin + path, {}, 307))
    return true
  }

  const inTurn = (asked: Asked, entered: Entered, go: (entered: Entered) => void): void => {
    let isNow = true
    turns.take(entered.island.key, () => {
      if (isNow) go(entered)
      // Its visitor may have lost access meanwhile.
      else admitThen(asked, go)
    })
    isNow = false
  }

  const forward = async (
    asked: Asked,
    admitted: Entered,
    { webSocket, isRetry = false }: Pick<Forwarding, 'webSocket'> & { readonly isRetry?: boolean },
  ): Promise<void> => {
    const { request, host, answered } = asked
    if (!isRetry && webSocket === undefined) health.countVisit(admitted.island.key)
    const reached = await reach(asked, admitted)
    if (reached === undefined) return
    const { agent, entered } = reached
    const { island, grant } = entered
    const response = answered()
    if (response.destroyed) return
    const { authority, path } = host
    const visitor = { scheme, authority, path, address: addressOf(request) }
    forwardRequest({
      request,
      response,
      agent,
      islandKey: island.key,
      network: networkOf(visitor.address),
      headers: requestHeaders(request, { ...visitor, identity: grant?.identity ?? null }),
      asked: visitor,
      transfers: access.transfersOf(grant, host),
      isByGrant: grant !== null,
      counts,
      answerState: (state) => sendState(response, state, island),
      onAnswer: () => health.recordAnswer(island.key),
      isRetry,
      retry: () => void forward(asked, entered, { webSocket, isRetry: true }),
      ...(webSocket && { webSocket }),
    })
  }

  const reach = async (asked: Asked, admitted: Entered) => {
    const { request, answered } = asked
    let agent = agents.find(admitted.island)
    let entered: Entered | undefined = admitted
    if (agent === undefined && !admitted.island.isStopped) {
      agent = await agents.whenThere(admitted.island)
      entered = await admitAgain(asked)
    }
    if (entered === undefined || request.socket.destroyed) return undefined
    const { island } = entered
    if (agent !== undefined && !island.isStopped) return { agent, entered }
    if (hasStandIn(island) && isRead(request)) {
      sendPages(asked, entered, true)
      return undefined
    }
    sendState(answered(), stateWithoutAgent(island), island)
    return undefined
  }

  const admitAgain = async (asked: Asked): Promise<Entered | undefined> => {
    try {
      const admission = await access.admit(asked.request, asked.host)
      if (admission.kind === 'enter') return admission
      proceed(asked, admission, () => undefined)
    } catch (error) {
      fail(asked, error)
    }
    return undefined
  }

  const stateWithoutAgent = (island: ServedIsland): VisitorState => {
    if (island.isStopped) return 'taken-down'
    if (island.isHosted) return 'empty'
    if (agents.isOutOfReach(island)) return 'out-of-reach'
    // The island counts as open for as long as its agent is likely to return.
    return island.opening.isOpen ? 'agent-gone' : 'closed'
  }

  const sendState = (response: ServerResponse, state: VisitorState, island: ServedIsland): void => {
    if (response.headersSent || response.destroyed) return
    counts.refuse(state)
    const failure = serviceFailure(state)
    if (failure !== undefined) health.recordFailure(island.key, failure)
    const { isOpen, sinceMs } = island.opening
    const closedMs = agents.goneSince(island) ?? (isOpen ? null : sinceMs)
    answerState(pages, response, state, {
      island: island.name,
      frontPage: `${config.publicUrl}/islands/${island.slug}`,
      sinceMs: state === 'closed' ? closedMs : null,
      pause: state === 'paused' ? island.pause : null,
      nowMs: clock(),
    })
  }

  const refuse = (response: ServerResponse, host: RequestedHost): void => {
    const isAmbiguous = host.kind === 'ambiguous'
    counts.refuse(isAmbiguous ? 'unreadable' : 'elsewhere')
    sendLine(response, isAmbiguous ? badRequest : nothingHere)
  }

  const fail = ({ request, answered }: Asked, error: unknown): void => {
    if (!(error instanceof StorageUnavailable)) {
      log.error({ err: error }, 'could not find out who visits an island')
    }
    const response = answered()
    if (request.socket.destroyed || response.headersSent) return
    sendLine(response, {
      status: 503,
      text: 'The server can’t check right now who you are. Try again in a moment.\n',
      headers: { 'retry-after': '2' },
    })
  }

  const watch = (socket: Socket, until: ServerResponse | Socket): void => {
    watched.set(socket, (watched.get(socket) ?? 0) + 1)
    until.once('close', () => watched.set(socket, (watched.get(socket) ?? 1) - 1))
  }

  return {
    takes: (request) => hostOf(request).kind !== 'site',
    watches: (socket) => (watched.get(socket) ?? 0) > 0,
    isUpgrade: ({ method, headers }) =>
      method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket',
    answer,
    upgrade,
  }
}

function visitorOf({ island, grant }: Entered): EnteredVisitor {
  const { key: islandKey, slug, name, hostKey } = island
  const isOperator = grant?.isOperator === true
  const isHost = grant !== null && (hostKey === null ? isOperator : grant.userKey === hostKey)
  const identity = grant?.identity ?? null
  return {
    islandKey,
    island: { slug, name },
    userKey: grant?.userKey ?? null,
    writer: identity && grant && { userKey: grant.userKey, ...identity },
    sessionHash: grant?.sessionHash ?? null,
    isDemo: grant?.isDemo === true,
    createdMs: grant?.createdMs ?? 0,
    isHost,
    isModerator: isHost || isOperator,
  }
}

function isRead({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.upgrade === undefined
}

function hasPages({ pages, isStopped }: ServedIsland): boolean {
  return pages !== null && !isStopped
}
