import type { AnswerBody, BodyInput, Route } from '@astropelago/contract/route'
import type { APIRequestContext, APIResponse } from '@playwright/test'

interface Request<R extends Route> {
  readonly params?: Readonly<Record<string, string>>
  readonly data?: BodyInput<R>
  readonly headers?: Readonly<Record<string, string>>
}

/** Calls the API outside the page, to set up what a test needs. Throws if the server refuses. */
export async function askApi<const R extends Route>(
  request: APIRequestContext,
  route: R,
  { params = {}, data, headers = {} }: Request<R> = {},
): Promise<AnswerBody<R>> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')
  const answer = await request.fetch(path, { method: route.method, data, headers })
  return parseAnswer(route, answer)
}

// AnswerBody is derived from the schemas that parse the body here.
function parseAnswer<R extends Route>(route: R, answer: APIResponse): Promise<AnswerBody<R>>
async function parseAnswer(route: Route, answer: APIResponse): Promise<unknown> {
  const schema = route.answers[answer.status()]
  if (schema === undefined) {
    throw new Error(`${route.method} ${route.path}: ${answer.status()} ${await answer.text()}`)
  }
  if (schema === null) return undefined
  const parsed = await schema['~standard'].validate(await answer.json())
  if (parsed.issues) throw new Error(`${route.path}: ${JSON.stringify(parsed.issues)}`)
  return parsed.value
}
