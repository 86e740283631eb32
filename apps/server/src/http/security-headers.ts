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

/**
 * Headers of every answer. HTML carries its own content security policy, with its nonce. Helmet makes
 * the same ones each time, which took a fifth of a short answer: it is asked once.
 */
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
    // Browsers heed it on trustworthy origins only, and complain on others.
    crossOriginOpenerPolicy: publicUrl.startsWith('https:'),
    originAgentCluster: publicUrl.startsWith('https:'),
    // Logging out over plain http is told from a foreign link by its Referer.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: publicUrl.startsWith('https:')
      ? { maxAge: 31_536_000, includeSubDomains: false }
      : false,
    xFrameOptions: { action: 'deny' },
    // What no browser of the last ten years heeds.
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

/**
 * The policy of a script's file. Only workers have one of their own, from the file they start with;
 * on a page the page's policy counts.
 */
export const workerPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** That of the worker which shows pushed messages: it loads their icon, and calls nothing. */
export const pushWorkerPolicy = [
  "default-src 'none'",
  "img-src 'self'",
  "frame-ancestors 'none'",
].join('; ')
