import { listActivity, logPageLength, type ActivityItem } from '@astropelago/contract/island-log'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import { newestPosition, type PagePosition } from '../../page-position.ts'

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

interface ActivityFeatureOptions {
  /** Flips of a user's devices after a position in the list, newest first. The id is the device's. */
  readonly heartbeats: {
    readonly readOwnFlips: (userKey: number, page: Page) => Promise<readonly OwnFlip[]>
  }
  /** The same for log entries of a user's islands. The id is the entry's. */
  readonly islands: {
    readonly readOwnLog: (userKey: number, page: Page) => Promise<readonly LogItem[]>
  }
}

/** What happened on one's own devices and islands, in one list. */
export function activityFeature({ heartbeats, islands }: ActivityFeatureOptions) {
  return {
    routes: async (app: FastifyInstance, { serve }: { readonly serve: Serve }) => {
      serve(app, listActivity, async ({ user: { userKey }, query }) => {
        const after = readPlace(query.after)
        if (after === undefined) throw new DomainError('invalid_input')
        // One more than is shown tells whether there are more.
        const limit = logPageLength + 1
        const [lines, flips] = await Promise.all([
          islands.readOwnLog(userKey, { after: after.log, limit }),
          heartbeats.readOwnFlips(userKey, { after: after.flip, limit }),
        ])
        const places = [...lines.map(placeOfLine), ...flips.map(placeOfFlip)]
        // Each list is in order already, which sorting keeps. At one time log entries come before flips.
        const found = places.toSorted((one, other) => other.atMs - one.atMs)
        const shown = found.slice(0, logPageLength)
        const next = found.length > logPageLength ? shown.at(-1) : undefined
        return {
          status: 200,
          body: { items: shown.map(({ item }) => item), next: next ? writePlace(next) : null },
        }
      })
    },
  }
}

interface Place extends PagePosition {
  readonly item: ActivityItem
}

function placeOfLine(item: LogItem): Place {
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

function writePlace({ atMs, id, item }: Place): string {
  return `${item.type}.${atMs}.${id}`
}

const writtenPlace = /^(log|flip)\.(\d{1,15})\.([\w-]{1,36})$/

/** Where both lists continue after an item; undefined if the item is not ours. */
function readPlace(
  text: string | undefined,
): { readonly log: PagePosition; readonly flip: PagePosition } | undefined {
  if (text === undefined) return { log: newestPosition, flip: newestPosition }
  const [, type, at, id] = writtenPlace.exec(text) ?? []
  if (type === undefined || at === undefined || id === undefined) return undefined
  const atMs = Number(at)
  return type === 'log'
    ? { log: { atMs, id }, flip: { atMs: atMs + 1, id: '' } }
    : { log: { atMs, id: '' }, flip: { atMs, id } }
}
