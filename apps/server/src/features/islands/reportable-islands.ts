import type { Reportable, ReportableSubject } from '../../reportable.ts'
import { isHost, mayEverybodyKnow } from './access-policy.ts'
import { findIfVisible, isReadable } from './find-island.ts'
import type { IslandsContext } from './islands-context.ts'
import type { IslandRecord } from './islands-store.ts'
import type { LogRecord, LogStore } from './log/log-store.ts'
import type { OperatorIslandsStore } from './operator/operator-islands-store.ts'
import { addressOf } from './present-island.ts'

const nameMaxLength = 80

export function reportableIslands(
  { islands, relayAddress }: IslandsContext,
  operatorIslands: Pick<OperatorIslandsStore, 'setHidden'>,
): Reportable {
  const subjectOf = (island: IslandRecord): ReportableSubject => {
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
  return {
    find: async (userKey, id) => {
      const found = await findIfVisible(islands, userKey, id)
      if (found === undefined || isHost(found.island, found.viewer)) return undefined
      return subjectOf(found.island)
    },
    read: async (ids) => {
      const found = await islands.findManyById(null, ids)
      return new Map(found.map(({ island }) => [island.id, subjectOf(island)]))
    },
    setHidden: operatorIslands.setHidden,
  }
}

export function reportableLogEntries(
  { islands }: IslandsContext,
  log: Pick<LogStore, 'find' | 'setHidden'>,
): Reportable {
  const read = async (ids: readonly string[]) => {
    const entries = await log.find(ids)
    const keys = [...new Set(entries.map(({ islandKey }) => islandKey))]
    const byKey = new Map((await islands.read(keys)).map((island) => [island.key, island]))
    const subjects = entries.flatMap((entry) => {
      const island = byKey.get(entry.islandKey)
      if (island === undefined || entry.text === null) return []
      return [[entry.id, entrySubject(entry, entry.text, island)] as const]
    })
    return new Map(subjects)
  }
  return {
    find: async (userKey, id) => {
      const [entry] = await log.find([id])
      if (entry === undefined || entry.hidden !== null || entry.author?.key === userKey) {
        return undefined
      }
      const [found] = await islands.findManyByKey(userKey, [entry.islandKey])
      if (found === undefined || !isReadable(found)) return undefined
      return (await read([id])).get(id)
    },
    read,
    setHidden: log.setHidden,
  }
}

function entrySubject(
  { author, hidden }: LogRecord,
  text: string,
  island: IslandRecord,
): ReportableSubject {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '))
  const isCut = characters.length > nameMaxLength
  return {
    name: isCut ? `${characters.slice(0, nameMaxLength - 1).join('')}…` : characters.join(''),
    link: null,
    author: author?.username ?? '',
    isPublic: island.access === 'public' && mayEverybodyKnow({ ...island, hiddenMs: null }),
    hidden,
  }
}
