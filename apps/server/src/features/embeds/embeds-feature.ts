import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { DomainError } from '../../domain-error.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { EarlyParts } from '../../http/early-answers.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { ChecksFeature } from '../checks/public.ts'
import type { DevicesFeature } from '../devices/public.ts'
import type { HistoryFeature } from '../history/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { PresenceFeature } from '../presence/public.ts'
import { atomRoutes } from './atom-routes.ts'
import { badgeRoutes } from './badge-routes.ts'
import { CachedAnswers, checkSubject, deviceSubject, islandSubject } from './cached-answers.ts'
import { deviceMetrics } from './device-metrics.ts'
import { mapRoutes } from './map-routes.ts'
import { answerEmbedEarly, createServeEmbed } from './serve-embed.ts'

interface EmbedsFeatureOptions extends Pick<PresenceFeature, 'presence' | 'reports'> {
  readonly config: Pick<Config, 'publicUrl' | 'siteName'>
  readonly devices: Pick<DevicesFeature, 'findForAnyone' | 'listed' | 'listOwn' | 'listen'>
  readonly islands: Pick<IslandsFeature, 'findForEverybody' | 'listenShown'>
  readonly checks: Pick<ChecksFeature['shown'], 'findForEverybody' | 'listOwn'>
  readonly history: Pick<HistoryFeature, 'readUptimes' | 'readNewestFlips'>
}

export function embedsFeature(
  { clock, cluster, changes }: FeatureBase,
  { config, presence, reports, devices, islands, checks, history }: EmbedsFeatureOptions,
) {
  const cached = new CachedAnswers({ clock })
  devices.listen((key) => cached.drop(deviceSubject(key)))
  presence.listen((keys) => {
    for (const key of keys) cached.drop(deviceSubject(key))
  })
  islands.listenShown((key) => cached.drop(islandSubject(key)))
  changes.subscribe('checks', ({ keys }) => {
    for (const key of keys) cached.drop(checkSubject(key))
  })
  const sources = {
    config,
    presence,
    history,
    findDevice: async (id: string) => orNotFound(await devices.findForAnyone(null, id)).device,
    findIsland: async (slug: string) => orNotFound(await islands.findForEverybody(slug)),
    findCheck: async (id: string) => orNotFound(await checks.findForEverybody(id)),
  }
  return {
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      const serveEmbed = createServeEmbed(serve, cached, cluster.isCurrent)
      badgeRoutes(app, serveEmbed, sources)
      atomRoutes(app, serveEmbed, sources)
      mapRoutes(app, { ...devices.listed, clock, serve, publicUrl: config.publicUrl })
      deviceMetrics(app, { serve, devices, checks, presence, reports })
    },
    answerEarly: (parts: EarlyParts) => answerEmbedEarly(cached, parts),
  }
}

function orNotFound<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new DomainError('not_found')
  return found
}
