import { ErrorBody } from '@astropelago/contract/error-body'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import * as v from 'valibot'
import type { JsonSchema, Operation } from './operations.ts'

export interface FuzzedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** What no answer may reveal: how the server is built. */
const insides =
  /\$argon2|node_modules|apps\/server|\.ts:\d|\bat (async )?\w+ \(|SQLITE_|kysely|(select|insert|update|delete) .*(from|into|set) "|(constraint|relation|column) "/i

const errorMaxBytes = 16 * 1024
const ajv = new Ajv2020({ strict: false, validateFormats: false })
const validators = new WeakMap<JsonSchema, ValidateFunction>()

/** What is wrong with an answer, whatever the request was. */
export function faultsOf(
  answer: FuzzedAnswer,
  secrets: readonly string[],
  method: string,
): string[] {
  const { status, headers, text } = answer
  const faults: string[] = []
  if (status >= 500) faults.push(`the server failed with ${status}`)
  for (const name of ['content-security-policy', 'referrer-policy', 'cache-control']) {
    if (typeof headers[name] !== 'string') faults.push(`has no ${name}`)
  }
  if (headers['x-content-type-options'] !== 'nosniff') faults.push('may be sniffed')
  if (text !== '' && typeof headers['content-type'] !== 'string') faults.push('has no content type')
  // Redirects stay on this server, whatever host the request names.
  if (!/^(undefined|\/([^/\\].*)?)$/.test(String(headers['location'])))
    faults.push('leads elsewhere')
  const isWait = status === 429 || status === 503
  if (isWait && !(Number(headers['retry-after']) >= 0)) faults.push('does not say for how long')
  const all = `${JSON.stringify(headers)}${text}`
  const told = secrets.find((secret) => all.includes(secret))
  if (told !== undefined) faults.push(`tells the secret ${told}`)
  const inside = insides.exec(text)
  if (inside !== null) faults.push(`tells of its insides: ${inside[0]}`)
  if (status >= 400) {
    if (text.length > errorMaxBytes) faults.push(`refuses in ${text.length} bytes`)
    if (method !== 'HEAD' && codeOf(text) === undefined) faults.push('refuses without a code')
  }
  return faults
}

/** What the document does not mention about such an answer to this operation. */
export function undocumented({ responses }: Operation, answer: FuzzedAnswer): string[] {
  const { status, headers, text } = answer
  const response = responses[status]
  if (response === undefined) return [`the status ${status}`]
  if (status >= 400) {
    const code = codeOf(text) ?? 'none'
    return response.description.split(', ').includes(code) ? [] : [`the code ${code}`]
  }
  const [described] = Object.entries(response.content)
  if (described === undefined || response.description === 'No body') {
    return text === '' ? [] : ['a body']
  }
  const [type, { schema }] = described
  const [given] = String(headers['content-type']).split(';', 1)
  if (given !== type) return [`the content type ${String(given)}`]
  return bodiesIn(type, text)
    .filter((body) => !fits(schema, body))
    .map((body) => `the body ${JSON.stringify(body).slice(0, 200)}`)
}

function codeOf(text: string): string | undefined {
  try {
    const body = v.safeParse(ErrorBody, JSON.parse(text))
    return body.success ? body.output.code : undefined
  } catch {
    return undefined
  }
}

/** Leaves out an event that was cut off. */
function bodiesIn(type: string, text: string): unknown[] {
  if (/^application\/(?:\w+\+)?json$/.test(type)) return [JSON.parse(text)]
  if (type !== 'text/event-stream') return [text]
  const whole = text.split('\n\n').slice(0, -1)
  return whole.flatMap((event) => {
    const data = event.split('\n').filter((line) => line.startsWith('data: '))
    const json: unknown[] =
      data.length === 0 ? [] : [JSON.parse(data.map((line) => line.slice(6)).join('\n'))]
    return json
  })
}

function fits(schema: JsonSchema, body: unknown): boolean {
  const validator = validators.get(schema) ?? ajv.compile(closed(schema))
  validators.set(schema, validator)
  return validator(body)
}

/** Allows only the listed properties of each object. */
function closed(schema: JsonSchema): JsonSchema {
  const { properties, additionalProperties, items, anyOf, oneOf } = schema
  return {
    ...schema,
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
    ...(oneOf && { oneOf: oneOf.map(closed) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, closed(inner)]),
      ),
      additionalProperties: additionalProperties ?? false,
    }),
  }
}
