import { getStats, type Figure } from '@astropelago/contract/operator'
import type { AnswerBody } from '@astropelago/contract/route'
import type { FastifyInstance } from 'fastify'
import type { Serve } from '../../http/serve-route.ts'

interface StatsRoutesOptions {
  readonly serve: Serve
  /** Of each feature, in the order of display. */
  readonly figures: readonly (() => Promise<readonly Figure[]>)[]
  readonly readServer: () => Promise<AnswerBody<typeof getStats>['server']>
}

/** How much there is of everything, as counted by each feature. */
export async function statsRoutes(
  app: FastifyInstance,
  { serve, figures, readServer }: StatsRoutesOptions,
) {
  serve(app, getStats, async () => {
    const counted: Figure[] = []
    // One after the other: on a large database each takes a while, and other reads wait meanwhile.
    for (const count of figures) counted.push(...(await count()))
    return { status: 200, body: { figures: counted, server: await readServer() } }
  })
}
