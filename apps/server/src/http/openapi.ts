import { ErrorBody, errors, type ErrorCode } from '@astropelago/contract/errors'
import type { Route } from '@astropelago/contract/route'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import { answerJsonSchema, requestJsonSchema } from './json-schema.ts'

/** The page's own files, and the one style that Swagger UI injects, by its hash. */
const docsPolicy = [
  "default-src 'self'",
  "style-src 'self' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface OpenApiOptions {
  readonly publicUrl: string
  readonly sessionCookie: string
}

/** Has to be registered before the routes that it describes. */
export async function openApi(app: FastifyInstance, { publicUrl, sessionCookie }: OpenApiOptions) {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Astropelago',
        version: '0.1.0',
        description: 'Devices, their heartbeats and the people they belong to.',
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          user: { type: 'apiKey', in: 'cookie', name: sessionCookie },
          device: { type: 'http', scheme: 'bearer' },
          // A user whom the server's settings name; for everybody else these paths lead nowhere.
          operator: { type: 'apiKey', in: 'cookie', name: sessionCookie },
        },
      },
    },
    transform: ({ schema, url, route: { config } }) => {
      const route = config?.route
      return { url, schema: route === undefined ? { ...schema, hide: true } : describe(route) }
    },
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    staticCSP: docsPolicy,
    // Without the bar that would load any other document.
    uiConfig: { layout: 'BaseLayout' },
    theme: { title: 'Astropelago API' },
  })
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger())
}

function describe(route: Route) {
  const response: Record<string, unknown> = {}
  for (const [status, schema] of Object.entries(route.answers)) {
    response[status] =
      schema === null
        ? { description: 'No body', type: 'null' }
        : { description: 'Success', ...answerJsonSchema(schema) }
  }
  // Storage may be gone for any of them.
  const routeErrors: readonly ErrorCode[] = [...new Set([...route.errors, 'overloaded' as const])]
  for (const code of routeErrors) {
    const { status } = errors[code]
    const codes = routeErrors.filter((other) => errors[other].status === status)
    response[status] = { description: codes.join(', '), ...answerJsonSchema(ErrorBody) }
  }
  return {
    summary: route.summary,
    tags: [route.tag],
    ...(route.access !== 'anyone' && { security: [{ [route.access]: [] }] }),
    ...(route.params && { params: requestJsonSchema(route.params) }),
    ...(route.query && { querystring: requestJsonSchema(route.query) }),
    ...(route.body && {
      body: requestJsonSchema(route.body),
      consumes: [route.bodyType ?? 'application/json'],
    }),
    response,
  }
}
