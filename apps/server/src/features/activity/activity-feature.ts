import { listActivity, logPageLength, type ActivityItem } from '@astropelago/contract/island-log'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import {
  newestPosition,
  readPosition,
  writePosition,
  type PagePosition,
} from '../../page-position.ts'

interface Page {
  readonly after: PagePosition
  readonly limit: number
}

interface OwnFlip {
  readonly deviceId: string
  readonly label: string
  readonly status: 'online' | 'offline'
  readonly atMs: number
}

type LogItem = Extract<ActivityItem, { type: 'log' }>

export function activityFeature({
  heartbeats,
  islands,
}: {
  /** Flips of a user's devices after a position in the list, newest first. The id is the device's. */
  readonly heartbeats: {
    readonly readOwnFlips: (userKey: number, page: Page) => Promise<readonly OwnFlip[]>
  }
  /** The same for log entries of a user's islands. The id is the entry's. */
  readonly islands: {
    readonly readOwnLog: (userKey: number, page: Page) => Promise<readonly LogItem[]>
  }
}) {
  return {
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      serve(app, listActivity, async ({ user: { userKey }, query }) => {
        const after = readPlace(query.after)
        if (after === undefined) throw new DomainError('invalid_input')
        // One more than is shown tells whether there are more.
        const limit = logPageLength + 1
        const [entries, flips] = await Promise.all([
          islands.readOwnLog(userKey, { after: after.log, limit }),
          heartbeats.readOwnFlips(userKey, { after: after.flip, limit }),
        ])
        const places = [...entries.map(placeOfEntry), ...flips.map(placeOfFlip)]
        // Each list is in order already, which sorting keeps. At one time log entries come before flips.
        const found = places.toSorted((one, other) => other.atMs - one.atMs)
        const shown = found.slice(0, logPageLength)
        const last = found.length > logPageLength ? shown.at(-1) : undefined
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
    at: new Date(atMs).toISOString(),
    device: { id: deviceId, label },
    status,
  } as const
  return { atMs, id: deviceId, item }
}

/** Where both lists continue after an item; undefined if the item is not ours. */
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
