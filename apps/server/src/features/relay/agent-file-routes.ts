import { agentPath, getRelayAgent } from '@astropelago/contract/relay-agent'
import type { FastifyInstance } from 'fastify'
import { matchesEtag } from '../../http/negotiation.ts'
import type { Serve } from '../../http/serve-route.ts'
import { readAgentFile } from './agent-file.ts'

export async function agentFileRoutes(app: FastifyInstance, { serve }: { readonly serve: Serve }) {
  const { file, sha256 } = await readAgentFile()
  const [, version] = /^const version = '([^']+)'$/m.exec(file.toString()) ?? []
  if (version === undefined) throw new Error('The agent names no version')

  serve(app, getRelayAgent, async () => ({ status: 200, body: { version, sha256 } }))

  const etag = `"${sha256}"`
  app.get(agentPath, { config: { isFile: true } }, async (request, reply) => {
    // Revalidated each time, so that the file always matches the hash that the page shows.
    reply.headers({ 'cache-control': 'no-cache', etag })
    if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send()
    return reply.type('text/javascript; charset=utf-8').send(file)
  })
}
