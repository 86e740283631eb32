import {
  handOverIsland,
  islandKinds,
  listAllIslands,
  type OperatorIsland,
} from '@astropelago/contract/operator-islands'
import { startIslandRelay, stopIslandRelay } from '@astropelago/contract/operator-relay'
import { hideSubject, showSubject } from '@astropelago/contract/reports'
import {
  command,
  CommandRefused,
  oneOf,
  routeCommand,
  type CallRoute,
} from '../../../admin/command.ts'
import { fieldList, printTime, table } from '../../../admin/table.ts'

const slug = {
  name: 'slug',
  summary: 'What it is called in addresses, as the list has it',
} as const
/** How many islands one call returns when looking for one by its slug. */
const pageLength = '1000'

export const islandsCommands = [
  routeCommand({
    words: 'islands list',
    summary: 'Lists islands, drafts and hidden ones too, the newest first',
    options: {
      search: { value: 'text', summary: 'Those with this in their slug or name, or their host’s' },
      only: { value: 'kind', summary: `Some of them: ${islandKinds.join(', ')}` },
      after: { value: 'id', summary: 'Those after this one, as the list before ended with' },
      limit: { value: 'count', summary: 'At most so many; 100 without it' },
    },
    route: listAllIslands,
    request: ({ search, only, after, limit }) => ({
      query: {
        search,
        after,
        limit,
        ...(only !== undefined && { only: oneOf('only', only, islandKinds) }),
      },
    }),
    print: ({ islands, hasMore }) => {
      if (islands.length === 0) return 'There are none.'
      const more = hasMore ? `\n\nThere are more: add --after ${islands.at(-1)?.id}` : ''
      return `${printIslands(islands)}${more}`
    },
  }),
  command({
    words: 'islands show',
    summary: 'Shows an island',
    arguments: [slug],
    run: async ({ input, call }) => {
      const island = await findBySlug(call, input.slug)
      const text = fieldList({
        Slug: island.slug,
        Name: island.name,
        ID: island.id,
        Host: hostOf(island),
        State: stateOf(island),
        Address: island.address ?? '–',
        ...(island.isRelayed && { Relay: relayOf(island) }),
        Open: island.isOpen ? 'yes' : island.pause === null ? 'no' : 'no, paused by its host',
        Members: String(island.memberCount),
        Made: `${printTime(island.createdAt)} UTC`,
        Published: island.publishedAt === null ? '–' : `${printTime(island.publishedAt)} UTC`,
        ...(island.hidden !== null && { Reason: island.hidden.reason }),
      })
      return { text, json: island }
    },
  }),
  command({
    words: 'islands hide',
    summary: 'Hides an island from everybody but its host, who sees why',
    arguments: [slug, { name: 'reason', summary: 'What its host reads, in quotes' }],
    run: async ({ input, call }) => {
      const { id, name } = await findBySlug(call, input.slug)
      await call(hideSubject, { params: { kind: 'island', id }, body: { reason: input.reason } })
      return { text: `${name} is hidden.`, json: null }
    },
  }),
  command({
    words: 'islands restore',
    summary: 'Shows a hidden island again, as its host wants it shown',
    arguments: [slug],
    run: async ({ input, call }) => {
      const { id, name } = await findBySlug(call, input.slug)
      await call(showSubject, { params: { kind: 'island', id } })
      return { text: `${name} is shown again.`, json: null }
    },
  }),
  command({
    words: 'islands stop',
    summary: 'Stops the relay for an island, whose host sees why',
    arguments: [slug, { name: 'reason', summary: 'What its host reads, in quotes' }],
    run: async ({ input, call }) => {
      const { id } = await findBySlug(call, input.slug)
      const { reason } = input
      const island = await call(stopIslandRelay, { params: { id }, body: { reason } })
      return { text: `The relay carries nobody to ${island.name} any more.`, json: island }
    },
  }),
  command({
    words: 'islands start',
    summary: 'Starts the relay for an island again',
    arguments: [slug],
    run: async ({ input, call }) => {
      const { id } = await findBySlug(call, input.slug)
      const island = await call(startIslandRelay, { params: { id } })
      return {
        text: `The relay carries visitors to ${island.name} again, once its agent is back.`,
        json: island,
      }
    },
  }),
  command({
    words: 'islands hand-over',
    summary: 'Gives an island to another host, or to this server',
    arguments: [slug],
    options: {
      to: { value: 'username', summary: 'Its new host; this server without it' },
    },
    run: async ({ input, call }) => {
      const { id } = await findBySlug(call, input.slug)
      const island = await call(handOverIsland, {
        params: { id },
        body: { host: input.to ?? null },
      })
      return { text: `${island.name} belongs to ${hostOf(island)}.`, json: island }
    },
  }),
]

/** @throws CommandRefused */
async function findBySlug(call: CallRoute, wanted: string): Promise<OperatorIsland> {
  const search = wanted.trim().toLowerCase()
  for (let after: string | undefined; ;) {
    const query = { search, after, limit: pageLength }
    const { islands, hasMore } = await call(listAllIslands, { query })
    const found = islands.find((island) => island.slug === search)
    if (found !== undefined) return found
    if (!hasMore) throw new CommandRefused(`There is no island with the slug ${wanted}.`)
    after = islands.at(-1)?.id
  }
}

function printIslands(islands: readonly OperatorIsland[]): string {
  return table(
    ['NAME', 'SLUG', 'HOST', 'STATE', 'OPEN', 'MEMBERS', 'MADE (UTC)', 'ID'],
    islands.map((island) => [
      island.name,
      island.slug,
      hostOf(island),
      stateOf(island),
      island.isOpen ? 'yes' : 'no',
      String(island.memberCount),
      printTime(island.createdAt),
      island.id,
    ]),
  )
}

function relayOf({ relayStopped }: OperatorIsland): string {
  if (relayStopped === null) return 'yes'
  return `stopped since ${printTime(relayStopped.at)} UTC: ${relayStopped.reason}`
}

function hostOf({ host }: OperatorIsland): string {
  return host ?? 'this server'
}

/** Who may enter, and whether it is to be found. */
function stateOf({ publishedAt, access, isListed, hidden }: OperatorIsland): string {
  if (publishedAt === null) return hidden === null ? 'draft' : 'draft, hidden'
  const policies = {
    public: 'for everybody',
    members: 'for who is signed in',
    invited: 'by invitation',
  }
  return [policies[access], isListed && 'listed', hidden !== null && 'hidden']
    .filter(Boolean)
    .join(', ')
}
