import type * as v from 'valibot'
import type { ApiKeyScope } from './api-key-scope.ts'
import type { ErrorCode } from './errors.ts'

export type Schema = v.GenericSchema

/**
 * The definition of one HTTP call. The server registers from it, browsers call by it, and OpenAPI is
 * derived from it.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters are written `:name`. */
  readonly path: `/${string}`
  readonly summary: string
  readonly tag: string
  /**
   * Who may call: anyone, a signed-in user (cookie), a device (bearer token with scope `report`), an agent
   * (one with scope `relay`), or an operator, who is a user named in OPERATORS or the command line. To
   * everybody else, an operator's route looks like an unknown path.
   */
  readonly access: 'anyone' | 'user' | 'device' | 'agent' | 'operator'
  /**
   * The scope that an API key needs to call it as its user. Without one, no key may call it. On routes for
   * anyone, a key gives access to what only its user may see.
   */
  readonly scope?: ApiKeyScope
  readonly params?: Schema
  readonly query?: Schema
  readonly body?: Schema
  /** The content type of a body that is not JSON. */
  readonly bodyType?: 'text/plain' | 'text/csv' | 'application/octet-stream' | 'application/zip'
  /** The content type of successful answers that are not JSON. */
  readonly answerType?:
    | 'text/plain'
    | 'text/event-stream'
    | 'text/csv'
    | 'image/svg+xml'
    | 'image/webp'
    | 'application/atom+xml'
    | 'application/geo+json'
    | 'application/zip'

  /** The schema of each successful answer by status; null if it has no body. */
  readonly answers: Readonly<Record<number, Schema | null>>
  readonly errors: readonly ErrorCode[]
  /** The error code for a request that does not match the schemas. */
  readonly invalid?: ErrorCode
  /** The error code for a body that is too large. */
  readonly tooLarge?: ErrorCode
}

/** Keeps the literal types of a route, so that callers and handlers are checked against them. */
export function defineRoute<const R extends Route>(route: R): R {
  return route
}

type InputOf<S> = S extends Schema ? v.InferInput<S> : undefined
type OutputOf<S> = S extends Schema ? v.InferOutput<S> : undefined

export type ParamsInput<R extends Route> = InputOf<R['params']>
export type QueryInput<R extends Route> = InputOf<R['query']>
export type BodyInput<R extends Route> = InputOf<R['body']>
export type ParamsOutput<R extends Route> = OutputOf<R['params']>
export type QueryOutput<R extends Route> = OutputOf<R['query']>
export type BodyOutput<R extends Route> = OutputOf<R['body']>

/** What a handler may return: a status of the route, with the body that belongs to it. */
export type Answer<R extends Route> = {
  [S in keyof R['answers'] & number]: R['answers'][S] extends Schema
    ? { readonly status: S; readonly body: v.InferInput<R['answers'][S]> }
    : { readonly status: S }
}[keyof R['answers'] & number]

/** What a caller gets: the parsed body, or undefined if the answer has none. */
export type AnswerBody<R extends Route> = OutputOf<R['answers'][keyof R['answers'] & number]>
