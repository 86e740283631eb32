import type {
  AnswerBody,
  BodyInput,
  ParamsInput,
  QueryInput,
  Route,
} from '@astropelago/contract/route'
import * as v from 'valibot'
import { apiErrorFrom } from './api-error.ts'
import { fetchAnswer } from './fetch-answer.ts'

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
  const { status, body } = await fetchAnswer(route, options)
  return parseAnswer(route, status, body)
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
