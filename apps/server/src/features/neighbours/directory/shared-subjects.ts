import { readSequence } from '@astropelago/contract/feed'
import type { DirectoryEntry } from '@astropelago/contract/neighbour-directory'
import type { StreamMessage } from '../../../http/event-stream.ts'
import type { PublicKind } from '../../../public-messages.ts'
import type { DevicesFeature } from '../../devices/public.ts'
import type { IslandsFeature } from '../../islands/public.ts'

interface SharedSubjectsParts {
  readonly devices: Pick<DevicesFeature['shared'], 'read'> & SharedKeysOf
  readonly islands: Pick<IslandsFeature['shared'], 'read'> & SharedKeysOf
}

interface SharedKeysOf {
  readonly keys: Pick<DevicesFeature['shared']['keys'], 'count' | 'has' | 'had' | 'keys'>
}

type OwnKind = Extract<PublicKind, 'device' | 'island'>

export interface Subject {
  readonly kind: OwnKind
  readonly key: number
}

export type SharedSubjects = ReturnType<typeof sharedSubjects>

/** What this installation shares, as followers get it ([F4]). Nothing of others is in here. */
export function sharedSubjects({ devices, islands }: SharedSubjectsParts) {
  const keysOf = { device: devices.keys, island: islands.keys }
  /** Of subjects that are shared no longer: the number with which followers were told so. */
  const removedAt = { device: new Map<number, number>(), island: new Map<number, number>() }

  const entryOf = ({ kind, key }: Subject): DirectoryEntry | undefined => {
    if (kind === 'device') {
      const device = devices.read(key)
      if (device === undefined) return undefined
      const { id, label, lat, lon, status } = device
      return { type: 'device', payload: { id, label, lat, lon, status } }
    }
    const island = islands.read(key)
    if (island === undefined) return undefined
    const { card, deviceKey } = island
    const { id, slug, name, picture, tagline, access, isOpen } = card
    const deviceId = deviceKey !== null && devices.keys.has(deviceKey) ? card.deviceId : null
    const shown = { id, slug, name, kind: card.kind, picture, tagline, access, isOpen, deviceId }
    return { type: 'island', payload: shown }
  }

  return {
    entryOf,
    had: ({ kind, key }: Subject): boolean => keysOf[kind].had(key),
    count: () => ({ islandCount: islands.keys.count, deviceCount: devices.keys.count }),
    all: (): Subject[] => [
      ...devices.keys.keys().map((key) => ({ kind: 'device', key }) as const),
      ...islands.keys.keys().map((key) => ({ kind: 'island', key }) as const),
    ],
    /** What was sent about it goes, so its removal has to be said again. */
    withdraw: ({ kind, key }: Subject): void => void removedAt[kind].delete(key),
    /**
     * As of now: memory has what a message says, and perhaps more. A subject that is shared no longer is
     * removed once, so that followers do not learn when it changes later.
     */
    translate: (messages: readonly StreamMessage[]): DirectoryEntry[] =>
      messages.flatMap(({ type, key, json, sequence }): DirectoryEntry[] => {
        const kind = ownKinds.get(type)
        if (kind === undefined) return []
        const entry = entryOf({ kind, key })
        if (entry !== undefined) return [entry]
        if (!keysOf[kind].had(key)) return []
        const { number = 0 } = readSequence(sequence) ?? {}
        // Later followers may read earlier messages first, or the same again.
        if (number > (removedAt[kind].get(key) ?? number)) return []
        if (!removedAt[kind].has(key)) removedAt[kind].set(key, number)
        return [{ type: `${kind}-removed`, payload: { id: idOf(json) } }]
      }),
  }
}

const ownKinds: ReadonlyMap<string, OwnKind> = new Map([
  ['device', 'device'],
  ['device-removed', 'device'],
  ['island', 'island'],
  ['island-removed', 'island'],
])

function idOf(json: Buffer): string {
  const message: { readonly payload: { readonly id: string } } = JSON.parse(json.toString())
  return message.payload.id
}
