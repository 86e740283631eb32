import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { ErrorBody } from '@astropelago/contract/error-body'
import type { AnswerBody, Route } from '@astropelago/contract/route'
import * as v from 'valibot'
import { CommandRefused, FieldsRefused, type CallRoute } from './command.ts'

/** Calls routes of the server that answers at a socket. */
export function callServerAt(socketPath: string): CallRoute {
  return async (route, input) => {
    const { status, body } = await send(socketPath, route, input)
    const schema = route.answers[status]
    if (schema === undefined) throw refusal(status, body)
    // The schema returns the route's answer, but a type parameter can't express that.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return (schema === null ? undefined : v.parse(schema, JSON.parse(body))) as AnswerBody<
      typeof route
    >
  }
}

async function send(socketPath: string, route: Route, input: unknown) {
  const parts = new Map<string, unknown>(Object.entries(input ?? {}))
  const body = parts.get('body')
  const content = body === undefined ? undefined : JSON.stringify(body)
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    request({
      socketPath,
      method: route.method,
      path: pathOf(route, entriesOf(parts.get('params')), entriesOf(parts.get('query'))),
      headers: {
        host: 'localhost',
        ...(content !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(content),
        }),
      },
    })
      .once('response', answered)
      .once('error', failed)
      .end(content)
  })
  return { status: response.statusCode ?? 0, body: await text(response) }
}

function entriesOf(values: unknown): readonly (readonly [string, string])[] {
  return Object.entries(values ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  )
}

function pathOf(
  { path }: Route,
  params: readonly (readonly [string, string])[],
  query: readonly (readonly [string, string])[],
): string {
  let filled: string = path
  for (const [name, value] of params) {
    filled = filled.replace(`:${name}`, encodeURIComponent(value))
  }
  const search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString()
  return search === '' ? filled : `${filled}?${search}`
}

function refusal(status: number, body: string): CommandRefused {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), ErrorBody), body)
  if (!parsed.success) {
    return new CommandRefused(`The server answered ${status} without saying why.`)
  }
  const { error, fields } = parsed.output
  return fields === undefined ? new CommandRefused(error) : new FieldsRefused(error, fields)
}
