import type {
  AnswerBody,
  BodyInput,
  ParamsInput,
  QueryInput,
  Route,
} from '@astropelago/contract/route'
import * as v from 'valibot'
import { apiErrorFrom, ConnectionError } from './api-error.ts'

type Given<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : { readonly [N in Name]: Value }

export type CallOptions<R extends Route> = Given<'params', ParamsInput<R>> &
  Given<'query', QueryInput<R>> &
  Given<'body', BodyInput<R>> & {
    readonly signal?: AbortSignal
  }

interface UrlOptions {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
}

interface FetchOptions extends UrlOptions {
  readonly body?: unknown
  readonly signal?: AbortSignal
  readonly isHead?: boolean
  /** Sends no cookies, for routes that never read them. */
  readonly withoutCookies?: boolean
  /** Requests the body only if its ETag differs from this one; otherwise the answer is 304. */
  readonly knownEtag?: string | null
}

interface FetchedAnswer {
  readonly status: number
  readonly headers: Headers
  /** Not validated yet; undefined if there was no JSON. */
  readonly body: unknown
}

type Arguments<R extends Route> =
  Partial<CallOptions<R>> extends CallOptions<R>
    ? [options?: CallOptions<R>]
    : [options: CallOptions<R>]

/** No healthy server takes longer, so a later answer counts as none. */
const answerTimeoutMs = 30_000

export function routeUrl(route: Route, { params = {}, query = {} }: UrlOptions): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new TypeError(`${route.path} needs the parameter ${name}`)
    return encodeURIComponent(value)
  })
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

/** @throws ApiError for a refusal, ConnectionError without an answer, the signal's AbortError */
export async function call<const R extends Route>(
  route: R,
  ...[options]: Arguments<R>
): Promise<AnswerBody<R>> {
  const { status, body } = await fetchAnswer(route, options)
  return parseAnswer(route, status, body)
}

/** Resolves with any answer. @throws as `call` does if there is none */
export async function fetchAnswer(
  route: Route,
  options: FetchOptions = {},
): Promise<FetchedAnswer> {
  const { body, signal, isHead, withoutCookies, knownEtag } = options
  const timeout = AbortSignal.timeout(answerTimeoutMs)
  try {
    const response = await fetch(routeUrl(route, options), {
      method: isHead ? 'HEAD' : route.method,
      credentials: withoutCookies ? 'omit' : 'same-origin',
      // The only answer worth caching is cached by its caller, with its ETag.
      cache: 'no-store',
      headers: {
        ...(body !== undefined && { 'Content-Type': route.bodyType ?? 'application/json' }),
        ...(typeof knownEtag === 'string' && { 'If-None-Match': knownEtag }),
      },
      ...(body !== undefined && {
        body: isAsItIs(route, body) ? body : JSON.stringify(body),
      }),
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    const { status, headers } = response
    return { status, headers, body: jsonOrUndefined(await response.text()) }
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new ConnectionError('No answer came', { cause })
  }
}

function isAsItIs(route: Route, body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return route.bodyType !== undefined && (typeof body === 'string' || body instanceof Uint8Array)
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// AnswerBody is derived from the schemas that parse the body here.
function parseAnswer<R extends Route>(route: R, status: number, body: unknown): AnswerBody<R>
function parseAnswer(route: Route, status: number, body: unknown): unknown {
  const schema = route.answers[status]
  if (schema === undefined) throw apiErrorFrom(status, body)
  if (schema === null) return undefined
  const parsed = v.safeParse(schema, body)
  if (parsed.success) return parsed.output
  throw apiErrorFrom(status, undefined, { cause: new v.ValiError(parsed.issues) })
}
