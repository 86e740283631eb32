import type { Route } from '@astropelago/contract/route'

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

export interface FetchedAnswer {
  readonly status: number
  readonly headers: Headers
  /** Not validated yet; undefined if there was no JSON. */
  readonly body: unknown
}

/** No answer came, or it broke off. The request may have taken effect. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
}

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

/** Resolves with any answer. @throws ConnectionError without one, the signal's AbortError */
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

export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
