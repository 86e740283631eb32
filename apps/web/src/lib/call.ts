import { errors } from '@astropelago/contract/errors'
import type {
  AnswerBody,
  BodyInput,
  ParamsInput,
  QueryInput,
  Route,
} from '@astropelago/contract/route'
import * as v from 'valibot'
import { ApiError, apiErrorFrom, ConnectionError } from './api-error.ts'

type Given<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : { readonly [N in Name]: Value }

/** What a route needs, plus what any call may have. */
export type CallOptions<R extends Route> = Given<'params', ParamsInput<R>> &
  Given<'query', QueryInput<R>> &
  Given<'body', BodyInput<R>> & {
    readonly signal?: AbortSignal
    /** Leaves the cookies at home, for routes that never read them. */
    readonly withoutCookies?: boolean
  }

interface LooseOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly withoutCookies?: boolean
}

type Arguments<R extends Route> =
  Partial<CallOptions<R>> extends CallOptions<R>
    ? [options?: CallOptions<R>]
    : [options: CallOptions<R>]

/** Longer than any answer of a healthy server, so that a silent one counts as no answer. */
const answerTimeoutMs = 30_000

export function routeUrl(route: Route, { params = {}, query = {} }: LooseOptions): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`${route.path} needs the parameter ${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

/**
 * Makes the function that calls a server's routes: it resolves with the parsed answer, or rejects
 * with ApiError (refused), ConnectionError (no answer) or the signal's own AbortError.
 */
export function createCall(baseUrl: string) {
  return async function call<const R extends Route>(
    route: R,
    ...[options]: Arguments<R>
  ): Promise<AnswerBody<R>> {
    const given: LooseOptions = options ?? {}
    const { status, body } = await answerTo(`${baseUrl}${routeUrl(route, given)}`, route, given)
    return parseAnswer(route, status, body)
  }
}

export const call = createCall('')

async function answerTo(url: string, { method }: Route, options: LooseOptions) {
  const timeout = AbortSignal.timeout(answerTimeoutMs)
  try {
    const response = await fetch(url, {
      method,
      credentials: options.withoutCookies ? 'omit' : 'same-origin',
      // Asks the server each time; an unchanged list still costs no body, thanks to its ETag.
      cache: 'no-cache',
      signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
      ...(options.body === undefined
        ? {}
        : {
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(options.body),
          }),
    })
    const text = await response.text()
    return { status: response.status, body: jsonOrUndefined(text) }
  } catch (cause) {
    if (options.signal?.aborted) throw cause
    throw new ConnectionError('No answer came', { cause })
  }
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// AnswerBody is derived from the same schemas that parse the body here.
function parseAnswer<R extends Route>(route: R, status: number, body: unknown): AnswerBody<R>
function parseAnswer(route: Route, status: number, body: unknown): unknown {
  const schema = route.answers[status]
  if (schema === undefined) throw apiErrorFrom(status, body)
  if (schema === null) return undefined
  const parsed = v.safeParse(schema, body)
  if (parsed.success) return parsed.output
  throw new ApiError(
    {
      status,
      code: 'server_error',
      sentence: errors.server_error.sentence,
      fields: {},
      error: undefined,
    },
    { cause: new v.ValiError(parsed.issues) },
  )
}
