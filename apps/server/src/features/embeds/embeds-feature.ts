import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { AnswerCounts } from '../../http/answer-counts.ts'
import type { AnswerEarly } from '../../http/early-answers.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { Serve } from '../../http/serve-route.ts'
import { answerEmbedEarly } from './answer-early.ts'
import { embedsRoutes, type EmbedsRoutesParts } from './embeds-routes.ts'
import { orNotFound, type ShownDevice, type ShownIsland } from './find-shown.ts'
import { deviceSubject, islandSubject, CachedAnswers } from './cached-answers.ts'
import { createServeEmbed } from './serve-embed.ts'

interface EmbedsFeatureOptions {
  readonly config: Pick<Config, 'publicUrl' | 'siteName'>
  readonly presence: Pick<EmbedsRoutesParts, 'status' | 'lastSeenMs'> & {
    readonly listen: (listener: (deviceKeys: readonly number[]) => void) => void
  }
  readonly reports: { readonly read: EmbedsRoutesParts['readReports'] }
  readonly devices: {
    readonly findForAnyone: (userKey: null, id: string) => Promise<ShownDevice | undefined>
    readonly listed: Omit<EmbedsRoutesParts['maps'], 'clock'>
    readonly listOwn: EmbedsRoutesParts['listOwn']
    readonly listen: (listener: (deviceKey: number) => void) => void
  }
  readonly islands: {
    readonly findForEverybody: (slug: string) => Promise<ShownIsland | undefined>
    readonly listenAll: (
      listener: (change: { readonly kind: string; readonly islandKey: number }) => void,
    ) => void
  }
  readonly history: Pick<EmbedsRoutesParts, 'readUptimes'> & {
    readonly readNewestFlips: EmbedsRoutesParts['readFlips']
  }
}

/** Changes of an island that everybody sees, unlike those of its log and its people. */
const isShown: ReadonlySet<string> = new Set(['changed', 'gone', 'open'])

interface EarlyEmbedsParts {
  readonly answers: AnswerCounts
  readonly takeEarly: RateLimits['takeEarly']
  readonly headers: Readonly<Record<string, string>>
}

/** What others show on their own pages, and read by their own programs. */
export function embedsFeature(
  { clock, cluster }: FeatureBase,
  { config, presence, reports, devices, islands, history }: EmbedsFeatureOptions,
) {
  const kept = new CachedAnswers({ clock })
  devices.listen((key) => kept.noteChange(deviceSubject(key)))
  presence.listen((keys) => {
    for (const key of keys) kept.noteChange(deviceSubject(key))
  })
  islands.listenAll(({ kind, islandKey }) => {
    if (isShown.has(kind)) kept.noteChange(islandSubject(islandKey))
  })
  return {
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      const serveEmbed = createServeEmbed({ serve, kept, isCurrent: cluster.isCurrent })
      return embedsRoutes(app, {
        publicUrl: config.publicUrl,
        siteName: config.siteName,
        serve,
        serveEmbed,
        findDevice: orNotFound((id: string) => devices.findForAnyone(null, id)),
        findIsland: orNotFound(islands.findForEverybody),
        status: (deviceKey) => presence.status(deviceKey),
        lastSeenMs: (deviceKey) => presence.lastSeenMs(deviceKey),
        readUptimes: history.readUptimes,
        readFlips: history.readNewestFlips,
        readReports: reports.read,
        listOwn: devices.listOwn,
        maps: { ...devices.listed, clock },
      })
    },
    answerEarly: ({ answers, ...early }: EarlyEmbedsParts): AnswerEarly =>
      answerEmbedEarly({ ...early, kept, answered: (route, status) => answers.of(route, status) }),
  }
}
