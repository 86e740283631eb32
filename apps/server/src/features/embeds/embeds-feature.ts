import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../feature-base.ts'
import type { AnswerCounts } from '../../http/answer-counts.ts'
import type { AnswerEarly } from '../../http/early-answers.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { answerEmbedEarly } from './answer-early.ts'
import { embedsRoutes, type EmbedsRoutesParts } from './embeds-routes.ts'
import { orNotFound, type ShownDevice, type ShownIsland } from './find-shown.ts'
import { deviceSubject, islandSubject, KeptAnswers } from './kept-answers.ts'
import { createServeEmbed } from './serve-embed.ts'

interface EmbedsFeatureOptions extends Omit<
  EmbedsRoutesParts,
  'serve' | 'serveEmbed' | 'findDevice' | 'findIsland' | 'maps'
> {
  /** What the public list has. */
  readonly listed: Omit<EmbedsRoutesParts['maps'], 'clock'>
  readonly findDevice: (id: string) => Promise<ShownDevice | undefined>
  readonly findIsland: (slug: string) => Promise<ShownIsland | undefined>
  /** Called with each device that may be another one now, or be gone. */
  readonly onDeviceChange: (listener: (deviceKey: number) => void) => void
  readonly onFlips: (listener: (deviceKeys: readonly number[]) => void) => void
  /** Called with what became of islands. */
  readonly onIslandChange: (
    listener: (change: { readonly kind: string; readonly islandKey: number }) => void,
  ) => void
}

/** What everybody sees of an island, unlike its log and its people. */
const isShown: ReadonlySet<string> = new Set(['changed', 'gone', 'open'])

interface EarlyEmbedsParts {
  readonly answers: AnswerCounts
  readonly takeEarly: RateLimits['takeEarly']
  readonly headers: Readonly<Record<string, string>>
}

/** What others show on their own pages, and read by their own programs. */
export function embedsFeature({ clock, cluster }: FeatureBase, options: EmbedsFeatureOptions) {
  const kept = new KeptAnswers({ clock })
  options.onDeviceChange((key) => kept.noteChange(deviceSubject(key)))
  options.onFlips((keys) => {
    for (const key of keys) kept.noteChange(deviceSubject(key))
  })
  options.onIslandChange(({ kind, islandKey }) => {
    if (isShown.has(kind)) kept.noteChange(islandSubject(islandKey))
  })
  return {
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      const serveEmbed = createServeEmbed({ serve, kept, isCurrent: cluster.isCurrent })
      const findDevice = orNotFound(options.findDevice)
      const findIsland = orNotFound(options.findIsland)
      return embedsRoutes(app, {
        ...options,
        serve,
        serveEmbed,
        findDevice,
        findIsland,
        maps: { ...options.listed, clock },
      })
    },
    answerEarly: ({ answers, ...early }: EarlyEmbedsParts): AnswerEarly =>
      answerEmbedEarly({ ...early, kept, answered: (route, status) => answers.of(route, status) }),
  }
}
