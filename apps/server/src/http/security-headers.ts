import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/** Headers of every answer. HTML carries its own content security policy, with its nonce. */
export async function securityHeaders(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(helmet, {
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
  })
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
