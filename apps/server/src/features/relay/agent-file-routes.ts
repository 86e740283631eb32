import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { agentPath, getRelayAgent } from '@astropelago/contract/relay-agent'
import type { FastifyInstance } from 'fastify'
import { matchesEtag } from '../../http/negotiation.ts'
import type { Serve } from '../../http/serve-route.ts'

const agentUrl = new URL('../../../../../packages/agent/src/agent.mjs', import.meta.url)

export async function agentFileRoutes(app: FastifyInstance, { serve }: { readonly serve: Serve }) {
  const file = await readFile(agentUrl)
  const sha256 = createHash('sha256').update(file).digest('hex')
  const [, version] = /^const version = '([^']+)'$/m.exec(file.toString()) ?? []
  if (version === undefined) throw new Error(`${agentUrl.pathname} names no version`)

  serve(app, getRelayAgent, async () => ({ status: 200, body: { version, sha256 } }))

  const etag = `"${sha256}"`
  app.get(agentPath, { config: { isFile: true } }, async (request, reply) => {
    // Revalidated each time, so that the file always matches the hash that the page shows.
    reply.headers({ 'cache-control': 'no-cache', etag })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('text/javascript; charset=utf-8').send(file)
  })
}
