import helmet from '@fastify/helmet'
import fastify, { type FastifyInstance } from 'fastify'

export function sendWithEachAnswer(
  app: FastifyInstance,
  headers: Readonly<Record<string, string>>,
): void {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** HTML has its own policy. Helmet is called once, because each call took a fifth of a short answer. */
export async function securityHeaders(
  publicUrl: string,
): Promise<Readonly<Record<string, string>>> {
  const headers: Record<string, string> = {}
  const probe = fastify()
  await probe.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    // Browsers heed it on trustworthy origins only, and complain elsewhere.
    crossOriginOpenerPolicy: publicUrl.startsWith('https:'),
    originAgentCluster: publicUrl.startsWith('https:'),
    // Over plain http, the Referer tells logging out from a foreign link.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: publicUrl.startsWith('https:')
      ? { maxAge: 31_536_000, includeSubDomains: false }
      : false,
    xFrameOptions: { action: 'deny' },
    // No browser of the last ten years heeds these.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
  })
  probe.get('/', async (_request, reply) => {
    for (const [name, value] of Object.entries(reply.raw.getHeaders()))
      headers[name] = String(value)
  })
  await probe.inject('/')
  await probe.close()
  return headers
}

/** For workers, which take the policy of their file. Pages have their own. */
export const workerPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** The policy of the worker that shows pushed messages. It loads their icon and calls nothing. */
export const pushWorkerPolicy = [
  "default-src 'none'",
  "img-src 'self'",
  "frame-ancestors 'none'",
].join('; ')
