import {
  listRooms,
  listRoomsAsOperator,
  moderateRoom,
  moderateRoomAsOperator,
  readAttendance,
  readRoom,
  readRoomAsOperator,
  type Room,
  type RoomContents,
} from '@astropelago/contract/rooms'
import { roomMessagesShown } from '@astropelago/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { Rooms } from './rooms.ts'
import type { RoomRecord, RoomsStore } from './rooms-store.ts'

/** Islands with restricted access that one answer looks at. Each costs a query. */
const checkedMax = 50

export async function roomsRoutes(
  app: FastifyInstance,
  {
    serve,
    store,
    rooms,
    islands,
    clock,
    findUser,
  }: {
    readonly serve: Serve
    readonly store: RoomsStore
    readonly rooms: Rooms
    readonly islands: Pick<
      IslandsFeature,
      'findHosted' | 'findKey' | 'served' | 'readRights' | 'listOwn'
    >
    readonly clock: Clock
    readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  },
) {
  const present = ({
    islandKey,
    name,
    changedMs,
    isReadOnly,
    messageCount,
  }: RoomRecord & { readonly messageCount: number }): Room => ({
    name,
    changedAt: isoTime(changedMs),
    messageCount,
    peopleCount: rooms.peopleIn(islandKey, name),
    isReadOnly,
  })
  const list = async (islandKey: number) => (await store.list(islandKey)).map(present)

  const read = async (islandKey: number, name: string): Promise<RoomContents> => {
    const found = await store.find(islandKey, name)
    if (found === undefined) throw new DomainError('not_found')
    const stored = await store.readLast(found.key, roomMessagesShown)
    const silenced = await store.listSilenced(islandKey, clock())
    const hostKey = islands.served.find(islandKey)?.hostKey ?? null
    return {
      ...present({ ...found, messageCount: stored.length }),
      messages: stored.flatMap(({ event, userKey }) => {
        if (event.kind !== 'message') return []
        const { n, atMs, from, value } = event
        const isByHost = userKey !== null && userKey === hostKey
        return [{ n, at: isoTime(atMs), from, isByHost, text: textOf(value) }]
      }),
      silenced: silenced.map(({ visitorId, name: of, kind, untilMs }) => ({
        id: visitorId,
        name: of,
        kind,
        until: untilMs === null ? null : isoTime(untilMs),
      })),
    }
  }

  serve(app, listRooms, async ({ params, user }) => ({
    status: 200,
    body: await list((await islands.findHosted(user.userKey, params.id)).key),
  }))

  serve(app, readRoom, async ({ params, user }) => ({
    status: 200,
    body: await read((await islands.findHosted(user.userKey, params.id)).key, params.room),
  }))

  serve(app, moderateRoom, async ({ params, user, body }) => {
    const { key } = await islands.findHosted(user.userKey, params.id)
    rooms.limitModeration(key)
    await rooms.moderate(key, params.room, body)
    return { status: 204 }
  })

  serve(app, listRoomsAsOperator, async ({ params }) => ({
    status: 200,
    body: await list(await islands.findKey(params.id)),
  }))

  serve(app, readRoomAsOperator, async ({ params }) => ({
    status: 200,
    body: await read(await islands.findKey(params.id), params.room),
  }))

  serve(
    app,
    moderateRoomAsOperator,
    async ({ params, body }) => {
      await rooms.moderate(await islands.findKey(params.id), params.room, body)
      return { status: 204 }
    },
    {
      audit: ({ params, body }) => ({
        action: `room.${body.kind}`,
        subject: `island:${params.id}`,
        details: { room: params.room, ...body },
      }),
    },
  )

  serve(app, readAttendance, async ({ request }) => {
    const counts = rooms.attendance.counts()
    const user = await findUser(request)
    const own = user === undefined ? [] : await islands.listOwn(user.userKey)
    const ownKeys = new Set(own.map(({ islandKey }) => islandKey))
    const shown: Record<string, number> = {}
    let checked = 0
    for (const [islandKey, count] of counts) {
      const island = islands.served.find(islandKey)
      // Its host may still be inside, and operators in a paused one.
      if (island === undefined || island.isStopped || !island.isShown || island.pause) continue
      if (!island.isInDirectory && !ownKeys.has(islandKey)) continue
      if (!island.mayAnybodyEnter) {
        if (user === undefined || checked === checkedMax) continue
        checked += 1
        const rightsOf = await islands.readRights(islandKey, [user.userKey])
        if (!rightsOf(user.userKey).mayEnter) continue
      }
      shown[island.id] = count
    }
    return { status: 200, body: shown }
  })
}

/** What a message says, for people. Pages decide what their messages look like. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  const text: unknown =
    typeof value === 'object' && value !== null ? Reflect.get(value, 'text') : undefined
  return typeof text === 'string' ? text : JSON.stringify(value)
}
