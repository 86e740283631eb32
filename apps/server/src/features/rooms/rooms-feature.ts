import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { InstanceNotices } from '../../cluster/instance-notices.ts'
import { type Config, isLoungeClosed } from '../../config.ts'
import type { FeatureBase } from '../../feature-base.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { Serve } from '../../http/serve-route.ts'
import type { HostedPagesFeature } from '../hosted-pages/public.ts'
import type { IslandsFeature } from '../islands/public.ts'
import { reportableMessages } from './reportable-messages.ts'
import { createRooms } from './rooms.ts'
import { roomsRoutes } from './rooms-routes.ts'
import { sqlRoomsStore } from './sql-rooms-store.ts'

export function roomsFeature(
  base: FeatureBase,
  {
    config,
    islands,
    hostedPages,
    notices,
  }: {
    readonly config: Pick<Config, 'publicUrl' | 'operators'>
    readonly islands: IslandsFeature
    readonly hostedPages: Pick<HostedPagesFeature, 'readRules'>
    readonly notices: InstanceNotices
  },
) {
  const { served } = islands
  const store = sqlRoomsStore(base.storage)
  const rooms = createRooms({
    ...base,
    store,
    notices,
    readRule: async (islandKey, room) => {
      const pages = served.find(islandKey)?.pages
      if (pages == null) return 'visitors'
      return (await hostedPages.readRules(islandKey, pages.key)).rooms[room] ?? 'visitors'
    },
    isOfInstallation: (islandKey) => served.find(islandKey)?.hostKey === null,
    isLoungeClosed: isLoungeClosed(config),
  })
  served.onChange((islandKey) => rooms.updateRules(islandKey))
  base.metrics.gauge({
    name: 'astropelago_rooms_people',
    help: 'People who are in rooms of islands, on all servers',
    read: () => [...rooms.attendance.counts().values()].reduce((sum, count) => sum + count, 0),
  })

  return {
    rooms,
    reportable: reportableMessages({ store, rooms, islands }),
    routes: (
      app: FastifyInstance,
      {
        serve,
        findUser,
      }: {
        readonly serve: Serve
        readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
      },
    ) => roomsRoutes(app, { serve, findUser, store, rooms, islands, clock: base.clock }),
  }
}
