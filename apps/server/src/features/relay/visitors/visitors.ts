import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { OtherHosts } from '../../../http/early-answers.ts'
import { answerOn } from '../../../http/protocol-upgrades.ts'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import type { Admission } from '../access/admission.ts'
import type { RelayAccess } from '../access/relay-access.ts'
import type { ReachableAgents } from '../agents/reachable-agents.ts'
import { answersProof } from '../host-state/open-from-outside.ts'
import type { ServiceHealth } from '../host-state/service-health.ts'
import type { RelayBase } from '../relay-base.ts'
import type { RelayedIsland } from '../relayed-islands.ts'
import { requestHeaders } from './forwarded-headers.ts'
import { forwardRequest } from './forward-request.ts'
import { forwardWebSocket } from './forward-web-socket.ts'
import { badRequest, nothingHere, sendLine, tooMany } from './island-pages.ts'
import { namesOnce, readHost, site, type IslandHost, type RequestedHost } from './read-host.ts'
import { Turns } from './turns.ts'
import { networkOf } from './visitor-address.ts'
import { answerState, serviceFailure, type VisitorState } from './visitor-states.ts'

interface VisitorsOptions extends RelayBase {
  readonly relayDomain: string
  readonly access: RelayAccess
  readonly agents: ReachableAgents
  readonly health: ServiceHealth
}

type Entered = Extract<Admission, { kind: 'enter' }>

interface Asked {
  readonly request: IncomingMessage
  readonly host: IslandHost
  readonly answered: () => ServerResponse
}

export class Visitors implements OtherHosts {
  readonly #options: VisitorsOptions
  readonly #scheme: string
  /** The last host that was the site's. Nearly all heartbeats name it: 0.05 µs instead of 0.25. */
  #siteHost: string | undefined
  /** How many transfers are in progress on each connection. The relay applies its own timeouts to these. */
  readonly #watched = new WeakMap<Socket, number>()
  readonly #turns = new Turns()

  constructor(options: VisitorsOptions) {
    this.#options = options
    this.#scheme = new URL(options.config.publicUrl).protocol.slice(0, -1)
  }

  readonly takes = (request: IncomingMessage): boolean => this.#read(request).kind !== 'site'

  readonly watches = (socket: Socket): boolean => (this.#watched.get(socket) ?? 0) > 0

  readonly isUpgrade = ({ method, headers }: IncomingMessage): boolean =>
    method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

  readonly answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const host = this.#read(request)
    if (host.kind === 'site') return false
    this.#whenCurrent(
      () => response,
      () => this.#answerHost(response, host),
    )
    return true
  }

  readonly upgrade = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    socket.on('error', () => socket.destroy())
    let response: ServerResponse | undefined
    const answered = () => (response ??= answerOn(request, socket))
    this.#whenCurrent(answered, () => {
      const host = this.#read(request)
      if (host.kind !== 'island') {
        this.#refuse(answered(), host)
        return
      }
      const asked = { request, host, answered }
      this.#admit(asked, (entered) => {
        this.#watch(socket, socket)
        this.#inTurn(asked, entered, (now) => void this.#forwardUpgrade(asked, socket, head, now))
      })
    })
  }

  /** A server that is cut off does not know which islands were closed, so it lets nobody in. */
  #whenCurrent(answered: () => ServerResponse, goOn: () => void): void {
    const { cluster } = this.#options
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

  #answerHost(response: ServerResponse, host: RequestedHost): void {
    const request = response.req
    const { pages, config } = this.#options
    if (answersProof(response, host, config.publicUrl)) return
    if (pages.answersFont(response, host)) return
    if (host.kind !== 'island') {
      this.#refuse(response, host)
      return
    }
    const asked = { request, host, answered: () => response }
    this.#admit(asked, (entered) => {
      this.#watch(request.socket, response)
      this.#inTurn(asked, entered, (now) => void this.#forward(asked, response, now, false))
    })
  }

  #read(request: IncomingMessage): RequestedHost {
    if (namesOnce(request, this.#siteHost)) return site
    const host = readHost(request, this.#options.relayDomain)
    if (host.kind === 'site') this.#siteHost = request.headers.host
    return host
  }

  #admit(asked: Asked, enter: (entered: Entered) => void): void {
    const { request, host, answered } = asked
    const { entryFlow, admit } = this.#options.access
    if (entryFlow.takes(host.path)) {
      entryFlow.answer(answered(), host).catch((error: unknown) => this.#fail(asked, error))
      return
    }
    const admission = admit(request, host.slug)
    if (!(admission instanceof Promise)) {
      this.#proceed(asked, admission, enter)
      return
    }
    admission
      .then((admitted) => this.#proceed(asked, admitted, enter))
      .catch((error: unknown) => this.#fail(asked, error))
  }

  #proceed(asked: Asked, admission: Admission, enter: (entered: Entered) => void): void {
    const { request, host, answered } = asked
    const { access, agents, counts } = this.#options
    if (request.socket.destroyed) return
    if (admission.kind === 'enter') {
      enter(admission)
      return
    }
    if (admission.kind === 'paused') {
      this.#answer(answered(), 'paused', admission.island)
      return
    }
    if (admission.kind === 'first-visit' && agents.find(admission.island) === undefined) {
      // Ask nobody whether to go on to an island that is not connected.
      this.#answer(answered(), this.#stateWithoutAgent(admission.island), admission.island)
      return
    }
    counts.refuse(admission.kind)
    if (admission.kind === 'first-visit') {
      access.sendFirstVisit(answered(), host, admission.island)
    } else if (admission.kind === 'too-many') {
      sendLine(answered(), tooMany(admission.waitMs))
    } else access.sendElsewhere(answered(), host)
  }

  #inTurn(asked: Asked, entered: Entered, go: (entered: Entered) => void): void {
    let isNow = true
    this.#turns.take(entered.island.key, () => {
      if (isNow) go(entered)
      // Its visitor may have lost access meanwhile.
      else this.#admit(asked, go)
    })
    isNow = false
  }

  async #forward(
    asked: Asked,
    response: ServerResponse,
    admitted: Entered,
    isRetry: boolean,
  ): Promise<void> {
    const { request } = asked
    const { counts, health } = this.#options
    if (!isRetry) health.countVisit(admitted.island.key)
    const reached = await this.#reach(asked, admitted)
    if (reached === undefined || response.destroyed) return
    const { agent, entered } = reached
    const { island, grant } = entered
    forwardRequest({
      request,
      response,
      agent,
      ...this.#transferOf(asked, entered),
      isByGrant: grant !== null,
      counts,
      answerState: (state) => this.#answer(response, state, island),
      onAnswer: () => health.recordAnswer(island.key),
      retry: isRetry ? undefined : () => void this.#forward(asked, response, entered, true),
    })
  }

  async #forwardUpgrade(
    asked: Asked,
    socket: Socket,
    head: Buffer,
    admitted: Entered,
  ): Promise<void> {
    const { request, answered } = asked
    const reached = await this.#reach(asked, admitted)
    if (reached === undefined) return
    const { agent, entered } = reached
    forwardWebSocket({
      request,
      socket,
      head,
      response: answered(),
      agent,
      ...this.#transferOf(asked, entered),
      counts: this.#options.counts,
      answerState: (state) => this.#answer(answered(), state, entered.island),
    })
  }

  async #reach(asked: Asked, admitted: Entered) {
    const { agents } = this.#options
    const { request, answered } = asked
    let agent = agents.find(admitted.island)
    let entered: Entered | undefined = admitted
    if (agent === undefined && !admitted.island.isStopped) {
      agent = await agents.whenThere(admitted.island)
      entered = await this.#admitAgain(asked)
    }
    if (entered === undefined || request.socket.destroyed) return undefined
    const { island } = entered
    if (agent !== undefined && !island.isStopped) return { agent, entered }
    this.#answer(answered(), this.#stateWithoutAgent(island), island)
    return undefined
  }

  async #admitAgain(asked: Asked): Promise<Entered | undefined> {
    try {
      const admission = await this.#options.access.admit(asked.request, asked.host.slug)
      if (admission.kind === 'enter') return admission
      this.#proceed(asked, admission, () => undefined)
    } catch (error) {
      this.#fail(asked, error)
    }
    return undefined
  }

  #transferOf({ request, host }: Asked, { island, grant }: Entered) {
    const { access, addressOf } = this.#options
    const { authority, path } = host
    const address = addressOf(request)
    const identity = grant?.identity ?? null
    return {
      islandKey: island.key,
      network: networkOf(address),
      headers: requestHeaders(request, {
        scheme: this.#scheme,
        authority,
        path,
        address,
        identity,
      }),
      transfers: access.transfersOf(grant),
    }
  }

  #stateWithoutAgent(island: RelayedIsland): VisitorState {
    if (island.isStopped) return 'taken-down'
    if (this.#options.agents.isOutOfReach(island)) return 'out-of-reach'
    // The island counts as open for as long as its agent is likely to return.
    return island.opening.isOpen ? 'agent-gone' : 'closed'
  }

  #answer(response: ServerResponse, state: VisitorState, island: RelayedIsland): void {
    if (response.headersSent || response.destroyed) return
    const { agents, clock, counts, config, health, pages } = this.#options
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

  #refuse(response: ServerResponse, host: RequestedHost): void {
    const isAmbiguous = host.kind === 'ambiguous'
    this.#options.counts.refuse(isAmbiguous ? 'unreadable' : 'elsewhere')
    sendLine(response, isAmbiguous ? badRequest : nothingHere)
  }

  #fail({ request, answered }: Asked, error: unknown): void {
    if (!(error instanceof StorageUnavailable)) {
      this.#options.log.error({ err: error }, 'could not find out who visits an island')
    }
    const response = answered()
    if (request.socket.destroyed || response.headersSent) return
    sendLine(response, {
      status: 503,
      text: 'The server can’t check right now who you are. Try again in a moment.\n',
      headers: { 'retry-after': '2' },
    })
  }

  #watch(socket: Socket, until: ServerResponse | Socket): void {
    this.#watched.set(socket, (this.#watched.get(socket) ?? 0) + 1)
    until.once('close', () => this.#watched.set(socket, (this.#watched.get(socket) ?? 1) - 1))
  }
}
