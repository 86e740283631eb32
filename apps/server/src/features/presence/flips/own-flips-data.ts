import { counted, type OwnDataKind } from '../../../own-data.ts'
import type { FlipStore } from './flip-store.ts'

/** For the export of an account: when its devices came online and went offline, one device at a time. */
export function ownFlipsData(flips: Pick<FlipStore, 'countOf' | 'readOf'>): OwnDataKind {
  return {
    kind: 'statusChanges',
    count: flips.countOf,
    text: (count) => `${counted(count, 'change', 'changes')} of their status`,
    read: async function* (userKey) {
      for await (const { deviceId, flips: changes } of flips.readOf(userKey)) {
        yield JSON.stringify({
          device: deviceId,
          changes: changes.map(({ status, atMs }) => ({
            status,
            at: new Date(atMs).toISOString(),
          })),
        })
      }
    },
  }
}
