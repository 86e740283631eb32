import type { Reportable, ReportableSubject } from '../../../reportable.ts'
import { mayEnter, mayEverybodyKnow } from '../access-policy.ts'
import type { IslandRecord, IslandsStore } from '../islands-store.ts'
import type { LogRecord, LogStore } from './log-store.ts'

/** How much of a long text a list of reports shows. */
const nameMaxLength = 80

interface ReportableLogEntriesDeps {
  readonly islands: Pick<IslandsStore, 'findById' | 'read'>
  readonly log: Pick<LogStore, 'find' | 'setHidden'>
}

/** Notes and signals that users may report and operators may hide. */
export function reportableLogEntries(deps: ReportableLogEntriesDeps): Reportable {
  const { islands, log } = deps
  const read = async (ids: readonly string[]) => {
    const entries = await log.find(ids)
    const found = await islands.read([...new Set(entries.map(({ islandKey }) => islandKey))])
    const byKey = new Map(found.map((island) => [island.key, island]))
    return new Map(
      entries.flatMap((entry) => {
        const island = byKey.get(entry.islandKey)
        return island === undefined || entry.text === null
          ? []
          : [[entry.id, thingOf(entry, island)] as const]
      }),
    )
  }
  return {
    find: async (userKey, id) => {
      const [entry] = await log.find([id])
      if (entry === undefined || entry.hidden !== null || entry.author?.key === userKey) {
        return undefined
      }
      const [its] = await islands.read([entry.islandKey])
      const found = its && (await islands.findById(userKey, its.id))
      if (found === undefined || !mayEnter(found.island, found.viewer)) return undefined
      return (await read([id])).get(id)
    },
    read,
    setHidden: async (id, hidden) => {
      return (await log.setHidden(id, hidden)) !== undefined
    },
  }
}

function thingOf({ text, author, hidden }: LogRecord, island: IslandRecord): ReportableSubject {
  const characters = Array.from((text ?? '').replaceAll(/\s+/g, ' '))
  const isCut = characters.length > nameMaxLength
  return {
    name: isCut ? `${characters.slice(0, nameMaxLength - 1).join('')}…` : characters.join(''),
    link: null,
    author: author?.username ?? '',
    isPublic: island.access === 'public' && mayEverybodyKnow({ ...island, hiddenMs: null }),
    hidden,
  }
}
