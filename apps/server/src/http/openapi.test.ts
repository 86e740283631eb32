import { type ErrorCode, errors } from '@astropelago/contract/errors'
import { bodyMaxBytes, llmBodyMaxBytes } from '@astropelago/contract/limits'
import type { Schema } from '@astropelago/contract/route'
import { expect, test } from 'vitest'
import { contractRoutes, routeName } from '../test/contract-routes.ts'
import { shareTestApp } from '../test/create-test-app.ts'

interface Operation {
  readonly summary: string
  readonly security?: readonly Record<string, unknown>[]
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: Record<string, { readonly schema: object }>
  }
  readonly responses: Record<
    string,
    { readonly description: string; readonly content?: Record<string, object> }
  >
  readonly 'x-body-max-bytes'?: number
}

const options = { config: { publicUrl: 'https://sky.example' } }

async function readDocument() {
  const { inject } = await shareTestApp(options)
  const response = await inject({ url: '/api/openapi.json' })
  expect(response.statusCode).toBe(200)
  return response.json<{
    openapi: string
    servers: object[]
    paths: Record<string, Record<string, Operation>>
  }>()
}

test('the document names its version and the address that users see', async () => {
  const { openapi, servers } = await readDocument()
  expect(openapi).toMatch(/^3\.1/)
  expect(servers).toEqual([{ url: 'https://sky.example' }])
})

test('it has every route of the contract with its answers, errors, body and caller', async () => {
  const { paths } = await readDocument()
  for (const route of contractRoutes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    const operation = paths[path]?.[route.method.toLowerCase()]
    const isUnsafe = route.method !== 'GET'
    const takesInput = [route.params, route.query, route.body].some((one) => one !== undefined)
    const codes: ErrorCode[] = [
      ...route.errors,
      'overloaded',
      ...(route.access === 'device' ? [] : (['rate_limited'] as const)),
      ...(takesInput ? (['invalid_input'] as const) : []),
      ...(isUnsafe
        ? (['cross_site', 'invalid_input', 'too_large', 'unsupported_media_type'] as const)
        : []),
    ]
    const statuses = [
      ...Object.keys(route.answers),
      ...codes.map((code) => String(errors[code].status)),
    ]
    const parameters = (operation?.parameters ?? []).map(({ name }) => name)
    expect({
      name: routeName(route),
      summary: operation?.summary,
      statuses: Object.keys(operation?.responses ?? {}).toSorted(),
      undocumented: route.errors.filter(
        (code) => operation?.responses[errors[code].status]?.description.includes(code) !== true,
      ),
      parameters,
      bodies: Object.keys(operation?.requestBody?.content ?? {}),
      callers: (operation?.security ?? []).flatMap((one) => Object.keys(one)),
    }).toEqual({
      name: routeName(route),
      summary: route.summary,
      statuses: [...new Set(statuses)].toSorted(),
      undocumented: [],
      parameters: [...fieldsOf(route.query), ...fieldsOf(route.params)],
      bodies: route.body ? [route.bodyType ?? 'application/json'] : [],
      callers: [
        ...(route.access === 'anyone' ? (route.scope ? ['user'] : []) : [route.access]),
        ...(route.scope ? ['apiKey'] : []),
      ],
    })
  }
})

function fieldsOf(schema: Schema | undefined): string[] {
  return schema !== undefined && 'entries' in schema ? Object.keys(Object(schema.entries)) : []
}

test('an answer that is not JSON is described by its own content type', async () => {
  const { paths } = await readDocument()
  const types = (path: string) => Object.keys(paths[path]?.['get']?.responses['200']?.content ?? {})
  expect(types('/api/devices')).toEqual(['application/json'])
  expect(types('/api/devices/stream')).toEqual(['text/event-stream'])
  expect(types('/_spark/kv/{key}')).toEqual(['text/plain'])
})

test('S31 the described size of a body is the route’s limit', async () => {
  const { paths } = await readDocument()
  const bytes = (path: string) => paths[path]?.['post']?.['x-body-max-bytes']
  expect(bytes('/api/devices/register')).toBe(bodyMaxBytes)
  expect(bytes('/_spark/llm')).toBe(llmBodyMaxBytes)
  expect(paths['/api/devices']?.['get']?.['x-body-max-bytes']).toBeUndefined()
})

test('an optional body is not described as required', async () => {
  const { paths } = await readDocument()
  const isRequired = (path: string) => paths[path]?.['post']?.requestBody?.required
  expect(isRequired('/api/devices/register')).toBe(true)
  expect(isRequired('/api/devices/heartbeat')).toBe(false)
  expect(isRequired('/api/devices/heartbeat-token')).toBe(false)
})

test('a body is described with its fields and bounds', async () => {
  const { paths } = await readDocument()
  const schema =
    paths['/api/devices/register']?.['post']?.requestBody?.content['application/json']?.schema
  expect(schema).toMatchObject({
    type: 'object',
    additionalProperties: false,
    required: ['label', 'lat', 'lon'],
    properties: {
      label: { type: 'string' },
      lat: { type: 'number', minimum: -90, maximum: 90 },
      lon: { type: 'number', minimum: -180, maximum: 180 },
      visibility: { enum: ['public', 'private'] },
    },
  })
})

test('the documentation is served as a page with all it loads', async () => {
  const { inject } = await shareTestApp(options)
  const page = await inject({ url: '/api/docs' })
  expect(page.statusCode).toBe(200)
  const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '')
  expect(files.length).toBeGreaterThan(3)
  for (const file of files) {
    const { pathname } = new URL(file, 'http://localhost/api/docs/')
    expect([file, (await inject({ url: pathname })).statusCode]).toEqual([file, 200])
  }
})
