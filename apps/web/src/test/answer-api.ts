import type { ErrorBody, FieldErrors } from '@astropelago/contract/error-body'
import { errors, type ErrorCode } from '@astropelago/contract/errors'
import type {
  Answer,
  BodyOutput,
  ParamsOutput,
  QueryOutput,
  Route,
  Schema,
} from '@astropelago/contract/route'
import * as v from 'valibot'
import { noteProblem } from './page-problems.ts'

/** An error of the contract, in the form the server sends it. */
interface Refusal {
  readonly refused: ErrorCode
  readonly fields?: FieldErrors
}

/**
 * 'dropped' breaks the connection. A Response is sent unchanged, for answers that do not come from our
 * server.
 */
export type Reply<R extends Route> = Answer<R> | Refusal | Response | 'dropped'

/** A call by the page, parsed by the contract's schemas. */
interface Asked<R extends Route> {
  readonly params: ParamsOutput<R>
  readonly query: QueryOutput<R>
  readonly body: BodyOutput<R>
}

type Respond = (request: Request, path: RegExpExecArray) => Promise<Response>

/** Errors that the server may answer to any call, even if the route does not list them. */
const anywhere = new Set<ErrorCode>(['server_error', 'rate_limited', 'overloaded', 'too_large'])

const binary = new Set<string | undefined>(['application/octet-stream', 'application/zip'])

const routes = new Map<string, { readonly pattern: RegExp; readonly respond: Respond }>()

/**
 * Answers a route of the contract until the test ends or answers the route differently. The answer must fit
 * the contract's schema, and so must each request: a test can't pass with something that the server would
 * never send, or would refuse.
 * @returns the calls so far, oldest first
 */
export function answerApi<const R extends Route, const G extends Reply<R>>(
  route: R,
  given: G | ((asked: Asked<R>) => G | Promise<G>),
): readonly Asked<R>[] {
  const all: Asked<R>[] = []
  respondTo(route.method, route.path, async (request, path) => {
    const misfits: string[] = []
    const asked = await readRequest(route, request, path, misfits)
    all.push(asked)
    const reply = await (typeof given === 'function' ? given(asked) : given)
    if (isAnswer(reply)) misfits.forEach(noteProblem)
    return responseOf(route, reply)
  })
  return all
}

/** Whether the test has set the route's answer. */
export function isAnswered({ method, path }: { readonly method: string; readonly path: string }) {
  return routes.has(`${method} ${path}`)
}

/** For routes that do not answer JSON. */
export function respondTo(method: string, path: string, respond: Respond): void {
  const source = path.replace(/:(\w+)/g, '(?<$1>[^/]+)')
  routes.set(`${method} ${path}`, { pattern: new RegExp(`^${source}$`), respond })
}

export function refused(code: ErrorCode, fields?: FieldErrors): Refusal {
  return fields === undefined ? { refused: code } : { refused: code, fields }
}

export function forgetAnswers(): void {
  routes.clear()
}

/** Replaces the page's fetch. */
export async function answeredFetch(input: RequestInfo | URL, init?: RequestInit) {
  const request = new Request(input, init)
  const { pathname } = new URL(request.url)
  for (const [name, { pattern, respond }] of routes) {
    const path = pattern.exec(pathname)
    if (path === null || !name.startsWith(`${request.method} `)) continue
    return await untilAborted(request.signal, respond(request, path))
  }
  noteProblem(`a call without an answer: ${request.method} ${pathname}`)
  throw new TypeError('Failed to fetch')
}

async function untilAborted(signal: AbortSignal, answer: Promise<Response>): Promise<Response> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([answer, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

// Asked is derived from the schemas that parse the request here.
function readRequest<R extends Route>(
  route: R,
  request: Request,
  path: RegExpExecArray,
  misfits: string[],
): Promise<Asked<R>>
async function readRequest(
  route: Route,
  request: Request,
  path: RegExpExecArray,
  misfits: string[],
) {
  const bytes = new Uint8Array(await request.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  const read = (part: string, schema: Schema | undefined, value: unknown) => {
    if (schema === undefined) return undefined
    const parsed = v.safeParse(schema, value)
    if (!parsed.success) {
      misfits.push(`${route.path}: the page sent a ${part} that the server refuses: ${text}`)
    }
    return parsed.output
  }
  return {
    params: read('path', route.params, decoded(path.groups)),
    query: read('query', route.query, Object.fromEntries(new URL(request.url).searchParams)),
    body: read(
      'body',
      route.body,
      binary.has(route.bodyType)
        ? bytes
        : route.bodyType || text === ''
          ? text || undefined
          : JSON.parse(text),
    ),
  }
}

function decoded(groups: Readonly<Record<string, string>> = {}) {
  return Object.fromEntries(
    Object.entries(groups).map(([name, text]) => [name, decodeURIComponent(text)]),
  )
}

function isAnswer(reply: Reply<Route>): boolean {
  return reply !== 'dropped' && !(reply instanceof Response) && 'status' in reply
}

function responseOf(route: Route, reply: Reply<Route>): Response {
  if (reply === 'dropped') throw new TypeError('Failed to fetch')
  if (reply instanceof Response) return reply.clone()
  if ('refused' in reply) return refusalOf(route, reply)
  const schema = route.answers[reply.status]
  if (schema === undefined) throw unfit(route, `has no answer ${reply.status}`)
  if (schema === null) return new Response(null, { status: reply.status })
  const body: unknown = 'body' in reply ? reply.body : undefined
  const { issues } = v.safeParse(schema, body)
  if (issues) throw unfit(route, `never answers this: ${v.summarize(issues)}`)
  return Response.json(body, { status: reply.status })
}

function refusalOf(route: Route, { refused: code, fields }: Refusal): Response {
  const isPossible = route.errors.includes(code) || route.invalid === code || anywhere.has(code)
  if (!isPossible) throw unfit(route, `never refuses with ${code}`)
  const { status, sentence } = errors[code]
  // As on the server: on these routes the sign-in screens read the `error` field.
  const error = route.path.startsWith('/api/auth/') ? code : sentence
  const body: ErrorBody = { error, code, ...(fields && { fields }) }
  return Response.json(body, { status })
}

function unfit(route: Route, reason: string): Error {
  const problem = `${route.method} ${route.path} ${reason}`
  noteProblem(problem)
  return new Error(problem)
}
