import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../../../clock.ts'
import type { OtherHosts } from '../../../http/host-first.ts'
import { answerOn } from '../../../http/protocol-upgrades.ts'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import type { ReachableAgents } from '../agents/reachable-agents.ts'
import type { Admission } from '../access/admission.ts'
import { badRequest, notNow, nothingHere, sendLine, tooMany } from '../access/access-pages.ts'
import type { RelayAccess } from '../access/relay-access.ts'
import { serviceFailure } from '../host-state/ask-service.ts'
import type { ServiceHealth } from '../host-state/service-health.ts'
import type { RelayCounts } from '../relay-counts.ts'
import type { RelayedIsland } from '../relayed-islands.ts'
import { networkOf } from '../tcp/admissions.ts'
import { forwardRequest } from './forward-request.ts'
import { forwardWebSocket } from './forward-web-socket.ts'
import type { IslandPages } from './island-pages.ts'
import { answersProof } from './outside-proof.ts'
import { namesOnce, readHost, site, type RequestedHost } from './read-host.ts'
import { requestHeaders } from './request-headers.ts'
import { answerState } from './state-pages.ts'
import { Turns } from './turns.ts'
import type { VisitorState } from './visit-states.ts'

interface VisitorsOptions {
  readonly relayDomain: string
  readonly publicUrl: string
  readonly pages: IslandPages
  readonly access: RelayAccess
  readonly agents: ReachableAgents
  readonly counts: RelayCounts
  readonly health: Pick<ServiceHealth, 'noteVisit' | 'noteAnswer' | 'noteFailure'>
  readonly addressOf: (request: IncomingMessage) => string
  readonly clock: Clock
  readonly log: Pick<FastifyBaseLogger, 'error'>
}

type IslandHost = Extract<RequestedHost, { kind: 'island' }>
type Entered = Extract<Admission, { kind: 'enter' }>

/** A visitor's request, and how to get its response as long as no service answers. */
interface Asked {
  readonly request: IncomingMessage
  readonly host: IslandHost
  readonly answered: () => ServerResponse
}

/** Handles requests for hosts below RELAY_DOMAIN, where nothing of the site is. */
export class Visitors implements OtherHosts {
  readonly #options: VisitorsOptions
  readonly #scheme: string
  /**
   * The last host that was the site's. Nearly all heartbeats name it, and so cost 0.05 µs instead of 0.25.
   */
  #siteHost: string | undefined
  /** How many transfers are in progress on each connection. The relay applies its own timeouts to these. */
  readonly #watched = new WeakMap<Socket, number>()
  readonly #turns = new Turns()

  constructor(options: VisitorsOptions) {
    this.#options = options
    this.#scheme = new URL(options.publicUrl).protocol.slice(0, -1)
  }

  readonly takes = (request: IncomingMessage): boolean => this.#read(request).kind !== 'site'

  readonly watches = (socket: Socket): boolean => (this.#watched.get(socket) ?? 0) > 0

  readonly isUpgrade = ({ method, headers }: IncomingMessage): boolean =>
    method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket'

  readonly answer = (request: IncomingMessage, response: ServerResponse): boolean => {
    const host = this.#read(request)
    if (host.kind === 'site') return false
    const { pages, publicUrl } = this.#options
    if (answersProof(request, response, host, publicUrl)) return true
    if (pages.answersFont(request, response, host)) return true
    if (host.kind !== 'island') this.#refuse(request, response, host)
    else {
      const asked = { request, host, answered: () => response }
      this.#admit(asked, (entered) => {
        this.#watch(request.socket, response)
        this.#inTurn(asked, entered, (now) => void this.#forward(asked, response, now, false))
      })
    }
    return true
  }

  readonly upgrade = (request: IncomingMessage, socket: Socket, head: Buffer): void => {
    const host = this.#read(request)
    // Until somebody else handles errors.
    socket.on('error', () => socket.destroy())
    if (host.kind !== 'island') {
      this.#refuse(request, answerOn(request, socket), host)
      return
    }
    // A connection takes one response.
    let response: ServerResponse | undefined
    const answered = () => (response ??= answerOn(request, socket))
    const asked = { request, host, answered }
    this.#admit(asked, (entered) => {
      this.#watch(socket, socket)
      this.#inTurn(asked, entered, (now) => void this.#forwardUpgrade(asked, socket, head, now))
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
      entryFlow
        .answer(request, answered(), host)
        .catch((error: unknown) => this.#fail(asked, error))
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
    const { access, counts } = this.#options
    if (request.socket.destroyed) return
    if (admission.kind === 'enter') {
      enter(admission)
      return
    }
    if (admission.kind === 'paused') {
      this.#answer(request, answered(), 'paused', admission.island)
      return
    }
    const { agents } = this.#options
    if (admission.kind === 'first-visit' && agents.find(admission.island) === undefined) {
      // Ask nobody whether to go on to an island that is not connected.
      this.#answer(request, answered(), this.#stateWithoutAgent(admission.island), admission.island)
      return
    }
    counts.refuse(admission.kind)
    if (admission.kind === 'first-visit') {
      access.sendFirstVisit(request, answered(), host, admission.island)
    } else if (admission.kind === 'too-many') {
      sendLine(request, answered(), tooMany(admission.waitMs))
    } else access.sendElsewhere(request, answered(), host)
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
    const { access, counts, health } = this.#options
    if (!isRetry) health.noteVisit(admitted.island.key)
    const reached = await this.#reach(asked, admitted)
    if (reached === undefined || response.destroyed) return
    const { agent, entered } = reached
    const { island } = entered
    forwardRequest({
      request,
      response,
      agent,
      islandKey: island.key,
      network: networkOf(this.#options.addressOf(request)),
      headers: this.#headers(asked, entered),
      isByVisit: entered.visit !== null,
      transfers: access.transfersOf(entered.visit),
      counts,
      answerState: (state) => this.#answer(request, response, state, island),
      noteAnswer: () => health.noteAnswer(island.key),
      retry: isRetry ? undefined : () => void this.#forward(asked, response, entered, true),
    })
  }

  async #forwardUpgrade(
    asked: Asked,
    socket: Socket,
    head: Buffer,
    admitted: Entered,
  ): Promise<void> {
    const { request } = asked
    const { access, counts } = this.#options
    const reached = await this.#reach(asked, admitted)
    if (reached === undefined) return
    const { agent, entered } = reached
    const { island } = entered
    forwardWebSocket({
      request,
      socket,
      head,
      response: asked.answered(),
      agent,
      islandKey: island.key,
      network: networkOf(this.#options.addressOf(request)),
      headers: this.#headers(asked, entered),
      transfers: access.transfersOf(entered.visit),
      counts,
      answerState: (state) => this.#answer(request, asked.answered(), state, island),
    })
  }

  /**
   * Finds the agent, or waits for one that was connected a moment ago. Undefined if the visitor was
   * answered here.
   */
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
    this.#answer(request, answered(), this.#stateWithoutAgent(island), island)
    return undefined
  }

  /** Undefined if the visitor has lost access meanwhile and was answered. */
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

  #headers({ request, host }: Asked, { visit }: Entered) {
    const { authority, path } = host
    return requestHeaders(request, {
      scheme: this.#scheme,
      authority,
      path,
      address: this.#options.addressOf(request),
      identity: visit?.identity ?? null,
    })
  }

  #stateWithoutAgent(island: RelayedIsland): VisitorState {
    if (island.isStopped) return 'taken-down'
    if (this.#options.agents.isOutOfReach?.(island) === true) return 'out-of-reach'
    // The island counts as open for as long as its agent is likely to return.
    return island.opening.isOpen ? 'agent-gone' : 'closed'
  }

  #closedSince(island: RelayedIsland): number | null {
    const { isOpen, sinceMs } = island.opening
    return this.#options.agents.goneSince(island) ?? (isOpen ? null : sinceMs)
  }

  #answer(
    request: IncomingMessage,
    response: ServerResponse,
    state: VisitorState,
    island: RelayedIsland,
  ): void {
    if (response.headersSent || response.destroyed) return
    this.#options.counts.refuse(state)
    const failure = serviceFailure(state)
    if (failure !== undefined) this.#options.health.noteFailure(island.key, failure)
    const sinceMs = state === 'closed' ? this.#closedSince(island) : null
    const { pages, publicUrl } = this.#options
    const frontPage = `${publicUrl}/islands/${island.slug}`
    answerState(pages, request, response, state, {
      island: island.name,
      frontPage,
      sinceMs,
      pause: state === 'paused' ? island.pause : null,
      nowMs: this.#options.clock(),
    })
  }

  /** Refuses hosts at which no island can be. */
  #refuse(request: IncomingMessage, response: ServerResponse, host: RequestedHost): void {
    const isAmbiguous = host.kind === 'ambiguous'
    this.#options.counts.refuse(isAmbiguous ? 'unreadable' : 'elsewhere')
    sendLine(request, response, isAmbiguous ? badRequest : nothingHere)
  }

  /** Answers when it can't be found out who the visitor is. */
  #fail({ request, answered }: Asked, error: unknown): void {
    if (!(error instanceof StorageUnavailable)) {
      this.#options.log.error({ err: error }, 'could not find out who visits an island')
    }
    const response = answered()
    if (request.socket.destroyed || response.headersSent) return
    sendLine(request, response, notNow)
  }

  #watch(socket: Socket, until: ServerResponse | Socket): void {
    this.#watched.set(socket, (this.#watched.get(socket) ?? 0) + 1)
    until.once('close', () => this.#watched.set(socket, (this.#watched.get(socket) ?? 1) - 1))
  }
}
