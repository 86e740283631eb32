import { listActivity, logPageLength, type ActivityItem } from '@astropelago/contract/island-log'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import {
  cutPage,
  newestPosition,
  readPosition,
  writePosition,
  type PagePosition,
} from '../../page-position.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { PresenceFeature } from '../presence/public.ts'

type LogItem = Extract<ActivityItem, { type: 'log' }>
type OwnFlip = Awaited<ReturnType<PresenceFeature['readOwnFlips']>>[number]

export function activityFeature({
  heartbeats,
  islands,
}: {
  readonly heartbeats: Pick<PresenceFeature, 'readOwnFlips'>
  readonly islands: Pick<IslandsFeature, 'readOwnLog'>
}) {
  return {
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      serve(app, listActivity, async ({ user: { userKey }, query }) => {
        const after = readPlace(query.after)
        if (after === undefined) throw new DomainError('invalid_input')
        const limit = logPageLength + 1
        const [entries, flips] = await Promise.all([
          islands.readOwnLog(userKey, { after: after.log, limit }),
          heartbeats.readOwnFlips(userKey, { after: after.flip, limit }),
        ])
        const places = [...entries.map(placeOfEntry), ...flips.map(placeOfFlip)]
        // Each list is in order already, which sorting keeps. At one time log entries come before flips.
        const found = places.toSorted((one, other) => other.atMs - one.atMs)
        const { shown, last } = cutPage(found, logPageLength)
        const next = last === undefined ? null : `${last.item.type}.${writePosition(last)}`
        return { status: 200, body: { items: shown.map(({ item }) => item), next } }
      }),
  }
}

interface Place extends PagePosition {
  readonly item: ActivityItem
}

function placeOfEntry(item: LogItem): Place {
  return { atMs: Date.parse(item.at), id: item.id, item }
}

function placeOfFlip({ deviceId, label, status, atMs }: OwnFlip): Place {
  const item = {
    type: 'flip',
    id: `${deviceId}.${atMs}`,
    at: isoTime(atMs),
    device: { id: deviceId, label },
    status,
  } as const
  return { atMs, id: deviceId, item }
}

function readPlace(text: string | undefined) {
  if (text === undefined) return { log: newestPosition, flip: newestPosition }
  const [, type, written = ''] = /^(log|flip)\.(.+)$/.exec(text) ?? []
  const position = readPosition(written)
  if (position === undefined) return undefined
  const { atMs } = position
  return type === 'log'
    ? { log: position, flip: { atMs: atMs + 1, id: '' } }
    : { log: { atMs, id: '' }, flip: position }
}
