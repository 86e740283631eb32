import * as v from 'valibot'
import type { PublicKind, PublicMessages } from '../../../public-messages.ts'
import type { AppliedChanges, NeighbourRecord, SubjectKind } from './neighbours-store.ts'
import {
  idOf,
  presentDevice,
  presentIsland,
  presentNeighbour,
  type ShownNeighbours,
} from './shown-neighbours.ts'

/** As the change log has it. */
export const HiddenSubject = v.object({
  kind: v.picklist(['device', 'island']),
  key: v.number(),
  id: v.string(),
})
type HiddenSubject = v.InferOutput<typeof HiddenSubject>

/** With more changes at once, browsers load the neighbour’s lists again. */
const changesMax = 500

/** Sends to the live feed what has changed of neighbours. Only the server that leads has an effect. */
export function publishNeighbours(
  messages: Pick<PublicMessages, 'of'>,
  shown: Pick<ShownNeighbours, 'byKey' | 'isHidden' | 'renew'>,
) {
  const channelOf = (kind: PublicKind) => {
    /** Until they are sent. */
    const waiting = new Map<number, Uint8Array>()
    const channel = messages.of(kind, (key) => {
      const json = waiting.get(key)
      waiting.delete(key)
      return json
    })
    return {
      set: (key: number, payload: object) => {
        waiting.set(key, Buffer.from(JSON.stringify(payload)))
        channel.note(key, 'changed')
      },
      remove: (key: number, removedId: string) => {
        waiting.delete(key)
        channel.note(key, { removedId })
      },
    }
  }
  const neighbours = channelOf('neighbour')
  const subjects = { device: channelOf('neighbour-device'), island: channelOf('neighbour-island') }
  /** Ids of the neighbours that browsers know. */
  let published = new Map<number, string>()

  const publishAll = async ({ key }: Pick<NeighbourRecord, 'key'>) => {
    // Whoever receives this asks for the lists. One from before has a sequence from before, so they ask again.
    shown.renew()
    const neighbour = (await shown.byKey()).get(key)
    if (neighbour === undefined) return
    published.set(key, neighbour.record.id)
    neighbours.set(key, presentNeighbour(neighbour))
  }

  return {
    /** What browsers may know from a server before this one. */
    begin: async (): Promise<void> => {
      const byKey = await shown.byKey()
      published = new Map(Array.from(byKey, ([key, { record }]) => [key, record.id]))
    },
    /** What one of them has changed. */
    publish: async (neighbour: NeighbourRecord, applied: AppliedChanges): Promise<void> => {
      const { devices, islands, removed } = applied
      if (devices.length + islands.length + removed.length > changesMax) {
        await publishAll(neighbour)
        return
      }
      const isHidden = (kind: SubjectKind, id: string) =>
        shown.isHidden(neighbour.key, { kind, id })
      for (const device of devices) {
        if (await isHidden('device', device.id)) continue
        subjects.device.set(device.key, presentDevice(neighbour, device))
      }
      for (const island of islands) {
        if (await isHidden('island', island.id)) continue
        subjects.island.set(island.key, presentIsland(neighbour, island))
      }
      for (const { kind, key, id } of removed) subjects[kind].remove(key, idOf(neighbour, id))
    },
    /** An operator hides something of it. */
    publishHidden: async (
      neighbourKey: number,
      { kind, key, id }: HiddenSubject,
    ): Promise<void> => {
      const neighbour = (await shown.byKey()).get(neighbourKey)
      if (neighbour !== undefined) subjects[kind].remove(key, idOf(neighbour.record, id))
    },
    /** Its islands and devices may be other ones. */
    publishAll,
    /** Which neighbours are shown may have changed. @param key of one that may look different */
    publishShown: async (key?: number): Promise<void> => {
      const byKey = await shown.byKey()
      for (const [gone, id] of published) if (!byKey.has(gone)) neighbours.remove(gone, id)
      for (const [shownKey, neighbour] of byKey) {
        if (published.has(shownKey) && shownKey !== key) continue
        neighbours.set(shownKey, presentNeighbour(neighbour))
      }
      published = new Map(Array.from(byKey, ([shownKey, { record }]) => [shownKey, record.id]))
    },
  }
}
