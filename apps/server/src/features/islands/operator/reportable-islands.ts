import type { Reportable, ReportableSubject } from '../../../reportable.ts'
import type { RelayAddress } from '../../../relay-address.ts'
import { isHost, mayEverybodyKnow, mayKnow } from '../access-policy.ts'
import type { IslandRecord, IslandsStore } from '../islands-store.ts'
import { addressOf } from '../present-island.ts'
import type { OperatorIslandsStore } from './operator-islands-store.ts'

interface ReportableIslandsDeps {
  readonly islands: Pick<IslandsStore, 'findById'>
  readonly operatorIslands: Pick<OperatorIslandsStore, 'read' | 'setHidden'>
  readonly relayAddress: RelayAddress
}

/** Islands that users may report and operators may hide. */
export function reportableIslands(deps: ReportableIslandsDeps): Reportable {
  const { islands, operatorIslands, relayAddress } = deps
  return {
    find: async (userKey, id) => {
      const found = await islands.findById(userKey, id)
      if (found === undefined || isHost(found.island, found.viewer)) return undefined
      return mayKnow(found.island, found.viewer) ? thingOf(found.island, relayAddress) : undefined
    },
    read: async (ids) => {
      const found = await operatorIslands.read(ids)
      return new Map(found.map((island) => [island.id, thingOf(island, relayAddress)]))
    },
    setHidden: async (id, hidden) => {
      return (await operatorIslands.setHidden(id, hidden)) !== undefined
    },
  }
}

function thingOf(island: IslandRecord, relayAddress: RelayAddress): ReportableSubject {
  const { name, hostUsername, hiddenMs, hiddenReason } = island
  return {
    name,
    link: addressOf(island, relayAddress),
    // Empty if it belongs to the installation.
    author: hostUsername ?? '',
    isPublic: mayEverybodyKnow({ ...island, hiddenMs: null }),
    hidden: hiddenMs === null ? null : { atMs: hiddenMs, reason: hiddenReason ?? '' },
  }
}
