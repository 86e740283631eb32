import type {
  AnswerBody,
  BodyInput,
  ParamsInput,
  QueryInput,
  Route,
} from '@astropelago/contract/route'
import * as v from 'valibot'
import { apiErrorFrom } from './api-error.ts'
import { fetchAnswer, type FetchedAnswer } from './fetch-answer.ts'

type Given<Name extends string, Value> = [Value] extends [undefined]
  ? unknown
  : { readonly [N in Name]: Value }

export type CallOptions<R extends Route> = Given<'params', ParamsInput<R>> &
  Given<'query', QueryInput<R>> &
  Given<'body', BodyInput<R>> & {
    readonly signal?: AbortSignal
  }

type Arguments<R extends Route> =
  Partial<CallOptions<R>> extends CallOptions<R>
    ? [options?: CallOptions<R>]
    : [options: CallOptions<R>]

/** @throws ApiError for a refusal, ConnectionError without an answer, the signal's AbortError */
export async function call<const R extends Route>(
  route: R,
  ...[options]: Arguments<R>
): Promise<AnswerBody<R>> {
  return parseAnswer(route, await fetchAnswer(route, options))
}

// AnswerBody is derived from the schemas that parse the body here.
/** @throws ApiError for a refusal */
export function parseAnswer<R extends Route>(route: R, answer: FetchedAnswer): AnswerBody<R>
export function parseAnswer(route: Route, { status, headers, body }: FetchedAnswer): unknown {
  const schema = route.answers[status]
  if (schema === undefined) {
    throw apiErrorFrom(status, body, { retryAfter: headers.get('retry-after') })
  }
  if (schema === null) return undefined
  const parsed = v.safeParse(schema, body)
  if (parsed.success) return parsed.output
  throw apiErrorFrom(status, undefined, { cause: new v.ValiError(parsed.issues) })
}
