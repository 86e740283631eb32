import { bodyMaxBytes } from '@astropelago/contract/limits'
import { ErrorBody } from '@astropelago/contract/error-body'
import { errors, type ErrorCode } from '@astropelago/contract/errors'
import type { Route } from '@astropelago/contract/route'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import * as v from 'valibot'
import { version } from '../version.ts'
import { answerJsonSchema, requestJsonSchema } from './schema-compilers.ts'

/** The page's own files, and by its hash the one style that Swagger UI injects. */
const docsPolicy = [
  "default-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Register it before the routes that it describes. */
export async function openApi(
  app: FastifyInstance,
  {
    config: { publicUrl },
    sessionCookie,
  }: {
    readonly config: Pick<Config, 'publicUrl'>
    readonly sessionCookie: string
  },
) {
  const withOptionalBody: string[] = []
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Astropelago',
        version,
        description: 'Devices, their heartbeats and the people they belong to.',
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          user: { type: 'apiKey', in: 'cookie', name: sessionCookie },
          device: { type: 'http', scheme: 'bearer' },
          agent: {
            type: 'http',
            scheme: 'bearer',
            description: 'A device token of scope `relay`: it carries visitors, and nothing else.',
          },
          // For users whom the settings name. For everybody else these paths do not exist.
          operator: { type: 'apiKey', in: 'cookie', name: sessionCookie },
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A key of one’s own, made on the Account page with the scopes that it is to have: `Authorization: Bearer apk_…`',
          },
        },
      },
    },
    // The plugin takes every body for a required one.
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      const { openapiObject } = document
      for (const path of withOptionalBody) {
        const body = openapiObject.paths?.[path.replaceAll(/:(\w+)/g, '{$1}')]?.post?.requestBody
        if (body !== undefined && 'content' in body) body.required = false
      }
      return openapiObject
    },
    transform: ({ schema, url, route: { config, bodyLimit = bodyMaxBytes } }) => {
      const route = config?.route
      const description = route && describe(route, bodyLimit)
      if (route?.body && v.is(route.body, undefined)) withOptionalBody.push(route.path)
      return { url, schema: description ?? { ...schema, hide: true } }
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: docsPolicy,
    // Without the bar that loads any other document. Closed, because 140 open calls are slow to draw.
    uiConfig: { layout: 'BaseLayout', docExpansion: 'none' },
    theme: { title: 'Astropelago API' },
  })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}

function describe(route: Route, bodyLimit: number) {
  const { answerType = 'application/json' } = route
  const response: Record<string, unknown> = {}
  for (const [status, schema] of Object.entries(route.answers)) {
    response[status] =
      schema === null
        ? { description: 'No body', type: 'null' }
        : {
            description: 'Success',
            content: { [answerType]: { schema: answerJsonSchema(schema) } },
          }
  }
  const codes = errorsOf(route)
  for (const code of codes) {
    const { status } = errors[code]
    const alike = codes.filter((other) => errors[other].status === status)
    response[status] = { description: alike.join(', '), ...answerJsonSchema(ErrorBody) }
  }
  return {
    summary: route.summary,
    tags: [route.tag],
    ...securityOf(route),
    ...(route.params && { params: requestJsonSchema(route.params) }),
    ...(route.query && { querystring: requestJsonSchema(route.query) }),
    ...(route.body && {
      body: requestJsonSchema(route.body),
      consumes: [route.bodyType ?? 'application/json'],
    }),
    ...(isUnsafe(route) && { 'x-body-max-bytes': bodyLimit }),
    response,
  }
}

function securityOf({ access, scope }: Route): { security?: Record<string, string[]>[] } {
  const byKey = scope === undefined ? [] : [{ apiKey: [scope] }]
  if (access !== 'anyone') return { security: [{ [access]: [] }, ...byKey] }
  // An empty entry among several says that authentication is optional.
  return scope === undefined ? {} : { security: [{}, { user: [] }, ...byKey] }
}

function errorsOf(route: Route): ErrorCode[] {
  const { params, query, body, access, invalid = 'invalid_input', tooLarge = 'too_large' } = route
  const all: ErrorCode[] = [...route.errors]
  if (params ?? query ?? body) all.push(invalid)
  // Any unsafe call may come from another site with a body, which is read before the call is refused.
  if (isUnsafe(route)) {
    all.push('cross_site', 'invalid_input', tooLarge, 'unsupported_media_type')
  }
  // A good device token is never limited.
  if (access !== 'device' && access !== 'agent') all.push('rate_limited')
  // Any of them may find the storage unavailable.
  all.push('overloaded')
  return [...new Set(all)]
}

function isUnsafe({ method }: Route): boolean {
  return method !== 'GET'
}
