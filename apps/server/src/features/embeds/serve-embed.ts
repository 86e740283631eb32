import type { Route } from '@astropelago/contract/route'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { AnswerCount } from '../../http/answer-counts.ts'
import type { AnswerEarly, EarlyParts } from '../../http/early-answers.ts'
import type { Call, Serve } from '../../http/serve-route.ts'
import type { ShownCheck } from '../checks/public.ts'
import type { DevicesFeature } from '../devices/public.ts'
import type { HistoryFeature } from '../history/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { Presence } from '../presence/public.ts'
import {
  sendPrepared,
  type CachedAnswers,
  type PreparedAnswer,
  type Subject,
} from './cached-answers.ts'

type Found<Find extends (...args: never) => Promise<unknown>> = NonNullable<
  Awaited<ReturnType<Find>>
>

/** What badges and feeds are made from. */
export interface EmbedSources {
  readonly config: Pick<Config, 'publicUrl' | 'siteName'>
  readonly presence: Pick<Presence, 'status'>
  readonly history: Pick<HistoryFeature, 'readUptimes' | 'readNewestFlips'>
  /** @throws DomainError `not_found` unless the device is public */
  readonly findDevice: (id: string) => Promise<Found<DevicesFeature['findForAnyone']>['device']>
  /** @throws DomainError `not_found` unless everybody may see the island */
  readonly findIsland: (slug: string) => Promise<Found<IslandsFeature['findForEverybody']>>
  /** @throws DomainError `not_found` unless the check is public */
  readonly findCheck: (id: string) => Promise<ShownCheck>
}

/** A route that gives everybody the same answer at one address. */
export interface EmbedRoute extends Route {
  readonly access: 'anyone'
  readonly answers: { readonly 200: NonNullable<Route['answers'][number]>; readonly 304: null }
}

export interface Made {
  readonly subject: Subject
  readonly answer: PreparedAnswer
  /** If that is less than usual. */
  readonly forMs?: number
}

export type ServeEmbed = ReturnType<typeof createServeEmbed>

export function createServeEmbed(serve: Serve, cached: CachedAnswers, isCurrent: () => boolean) {
  return <R extends EmbedRoute>(
    app: FastifyInstance,
    route: R,
    make: (call: Pick<Call<R>, 'params' | 'query'>) => Promise<Made>,
  ): void => {
    serve<EmbedRoute, undefined | { readonly status: 304 }>(
      app,
      route,
      async ({ request, reply, ...call }) => {
        const address = request.originalUrl
        const found = isCurrent() ? cached.find(address) : undefined
        if (found !== undefined) return sendPrepared(request, reply, found.answer)
        const begun = cached.begin()
        // `serve` has parsed them with this route's schemas.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const made = await make(call as Pick<Call<R>, 'params' | 'query'>)
        cached.add(begun, address, { ...made, route })
        return sendPrepared(request, reply, made.answer)
      },
    )
  }
}

interface Prepared {
  readonly unchanged: string[]
  readonly whole: string[]
  readonly count: Readonly<Record<200 | 304, AnswerCount>>
}

const embedPath = /^\/(?:badges|feeds)\//

/** Answers from memory, with 304 if the client has the answer. Everything else goes to the ordinary route. */
export function answerEmbedEarly(
  cached: Pick<CachedAnswers, 'find'>,
  { answers, takeEarly, headers }: EarlyParts,
): AnswerEarly {
  const prepared = new WeakMap<object, Prepared>()

  return (request, response) => {
    const { url = '', method, headers: asked } = request
    if (method !== 'GET' || !embedPath.test(url)) return false
    const found = cached.find(url)
    if (found === undefined) return false
    const { answer, route } = found
    const ifNoneMatch = asked['if-none-match']
    const isUnchanged = ifNoneMatch === answer.etag
    // The route judges several ETags, and times.
    if (!isUnchanged && (ifNoneMatch ?? asked['if-modified-since']) !== undefined) return false
    if (!takeEarly(request.socket)) return false
    let lines = prepared.get(found)
    if (lines === undefined) {
      const short = Object.entries({ ...headers, ...answer.headers }).flat()
      const length = String(answer.body.length)
      lines = {
        unchanged: short,
        whole: [...short, 'content-type', answer.type, 'content-length', length],
        count: { 200: answers.of(route, 200), 304: answers.of(route, 304) },
      }
      prepared.set(found, lines)
    }
    if (isUnchanged) {
      response.writeHead(304, lines.unchanged).end()
      lines.count[304].count += 1
    } else {
      response.writeHead(200, lines.whole).end(answer.body)
      lines.count[200].count += 1
    }
    return true
  }
}
