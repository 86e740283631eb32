import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { SiteLogo } from '../config.ts'

/** For an SVG that is opened as a document: it runs nothing, loads nothing and has no origin. */
const policy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
  'sandbox',
].join('; ')

/** Contains a hash of the picture, so browsers may keep it for ever. */
export function siteLogoPath({ type, content }: SiteLogo): string {
  const name = createHash('sha256').update(content).digest('hex').slice(0, 16)
  return `/assets/logo-${name}.${type === 'image/png' ? 'png' : 'svg'}`
}

export function serveSiteLogo(app: FastifyInstance, logo: SiteLogo): void {
  app.get(siteLogoPath(logo), async (_, reply) =>
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', policy)
      .type(logo.type)
      .send(logo.content),
  )
}
