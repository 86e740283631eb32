import type { Route } from '@astropelago/contract/route'
import type { FastifyInstance } from 'fastify'
import type { Call, Serve } from '../../http/serve-route.ts'
import type { CachedAnswers, Subject } from './cached-answers.ts'
import { sendPrepared, type PreparedAnswer } from './prepared-answer.ts'

/** A route that gives everybody the same answer at one address. */
export interface EmbedRoute extends Route {
  readonly access: 'anyone'
  readonly answers: { readonly 200: NonNullable<Route['answers'][number]>; readonly 304: null }
}

export interface Made {
  readonly subject: Subject
  readonly answer: PreparedAnswer
  /** How long it may be cached, if that is less than usual. */
  readonly forMs?: number
}

export type ServeEmbed = <R extends EmbedRoute>(
  app: FastifyInstance,
  route: R,
  make: (call: Pick<Call<R>, 'params' | 'query'>) => Promise<Made>,
) => void

interface ServeEmbedParts {
  readonly serve: Serve
  readonly kept: CachedAnswers
  /** Whether memory is recent enough to answer from. */
  readonly isCurrent: () => boolean
}

/** Serves routes from memory, and otherwise from `make`. */
export function createServeEmbed({ serve, kept, isCurrent }: ServeEmbedParts): ServeEmbed {
  return (app, route, make) => {
    serve<EmbedRoute, undefined | { readonly status: 304 }>(
      app,
      route,
      async ({ request, reply, ...call }) => {
        const address = request.originalUrl
        const known = isCurrent() ? kept.find(address) : undefined
        if (known !== undefined) return sendPrepared(request, reply, known.answer)
        const begun = kept.begin()
        // `serve` has parsed them with this route's schemas.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const made = await make(call as Pick<Call<typeof route>, 'params' | 'query'>)
        kept.keep(begun, address, { ...made, route })
        return sendPrepared(request, reply, made.answer)
      },
    )
  }
}
