import { RoomName } from '@astropelago/contract/rooms'
import { LRUCache } from 'lru-cache'
import * as v from 'valibot'
import { atMostEntries } from '../../cache-bound.ts'
import type { PageContents } from './page-contents.ts'
import { shownName } from './unpack/site-paths.ts'

/** In it, an island’s pages say who writes what by `spark`. */
export const rulesFile = 'astropelago.json'
const rulesMaxBytes = 64 * 1024
const rulesCached = 1000

const rulesMessage = 'It holds an object with “shared” and “rooms”, or one of them.'
const sharedMessage = 'Shared values are written by: own, anyone, append or host.'
const roomsMessage = 'Rooms are written by: visitors, anyone or host.'

export const PageRules = v.object(
  {
    /** By the beginning of the key. The longest that fits counts. */
    shared: v.optional(
      v.record(
        v.string(),
        v.picklist(['own', 'anyone', 'append', 'host'], sharedMessage),
        sharedMessage,
      ),
      {},
    ),
    rooms: v.optional(
      v.record(RoomName, v.picklist(['visitors', 'anyone', 'host'], roomsMessage), roomsMessage),
      {},
    ),
  },
  rulesMessage,
)
export type PageRules = v.InferOutput<typeof PageRules>

const noRules: PageRules = { shared: {}, rooms: {} }

/** The rules of deployments, which never change. @returns none if the file is missing or makes no sense */
export function createReadRules(contents: PageContents) {
  const cached = new LRUCache<number, PageRules, number>({
    ...atMostEntries(rulesCached),
    fetchMethod: async (deploymentKey, _stale, { context: islandKey }) => {
      const file = (await contents.files(deploymentKey)).get(rulesFile)
      if (file === undefined || file.bytes > rulesMaxBytes) return noRules
      const content = { islandKey, hash: file.hash, isGzip: false }
      const parsed = parseRules(await contents.read(content, file.bytes))
      return typeof parsed === 'string' ? noRules : parsed
    },
  })
  /** @throws StorageUnavailable */
  return async (islandKey: number, deploymentKey: number): Promise<PageRules> =>
    (await cached.fetch(deploymentKey, { context: islandKey })) ?? noRules
}

/** @returns a sentence that says what is wrong with the file, if something is */
export function parseRules(bytes: Uint8Array): PageRules | string {
  if (bytes.length > rulesMaxBytes) {
    return `“${rulesFile}” is larger than ${rulesMaxBytes / 1024} kB.`
  }
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder().decode(bytes))
  } catch (error) {
    const [line = ''] = /line \d+/.exec(String(error)) ?? []
    return `“${rulesFile}” is not valid JSON${line && `: look at ${line}`}.`
  }
  const parsed = v.safeParse(PageRules, json)
  if (parsed.success) return parsed.output
  const [{ message, path }] = parsed.issues
  const at = path?.map(({ key }) => `, ${shownName(String(key))}`).join('') ?? ''
  return `“${rulesFile}”${at}: ${message}`
}
