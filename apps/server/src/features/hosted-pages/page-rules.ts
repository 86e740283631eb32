import { RoomName } from '@astropelago/contract/rooms'
import { LRUCache } from 'lru-cache'
import * as v from 'valibot'
import { atMostEntries } from '../../cache-bound.ts'
import type { PageContents } from './page-contents.ts'

/** In it, an island’s pages say who writes what by `spark`. */
const rulesFile = 'astropelago.json'
const rulesMaxBytes = 64 * 1024
const rulesCached = 1000

export const PageRules = v.object({
  /** By the beginning of the key. The longest that fits counts. */
  shared: v.optional(v.record(v.string(), v.picklist(['own', 'anyone', 'append', 'host'])), {}),
  rooms: v.optional(v.record(RoomName, v.picklist(['visitors', 'anyone', 'host'])), {}),
})
export type PageRules = v.InferOutput<typeof PageRules>

const noRules: PageRules = { shared: {}, rooms: {} }

/** The rules of deployments, which never change. @returns none if the file is missing or makes no sense */
export function createReadRules(contents: PageContents) {
  const cached = new LRUCache<number, PageRules>(atMostEntries(rulesCached))

  const read = async (islandKey: number, deploymentKey: number): Promise<PageRules> => {
    const file = (await contents.files(deploymentKey)).get(rulesFile)
    if (file === undefined || file.bytes > rulesMaxBytes) return noRules
    const text = await contents.read({ islandKey, hash: file.hash, isGzip: false }, file.bytes)
    return parseRules(text.toString()) ?? noRules
  }

  /** @throws StorageUnavailable */
  return async (islandKey: number, deploymentKey: number): Promise<PageRules> => {
    const rules = cached.get(deploymentKey) ?? (await read(islandKey, deploymentKey))
    cached.set(deploymentKey, rules)
    return rules
  }
}

function parseRules(text: string): PageRules | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), PageRules), text)
  return parsed.success ? parsed.output : undefined
}
