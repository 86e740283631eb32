import {
  handOverIsland,
  islandKinds,
  listAllIslands,
  type OperatorIsland,
} from '@astropelago/contract/operator-islands'
import { startIslandRelay, stopIslandRelay } from '@astropelago/contract/operator-relay'
import { hideSubject, showSubject } from '@astropelago/contract/reports'
import { command, oneOf, pageOptions, routeCommand } from '../../../admin/command.ts'
import { findBySlug } from '../../../admin/find-island.ts'
import { fieldList, list, printTime, printUtc } from '../../../admin/table.ts'

const slug = { name: 'slug', summary: 'The island’s name in addresses' } as const
const reason = { name: 'reason', summary: 'What its host reads, in quotes' } as const
export const islandsCommands = [
  routeCommand({
    words: 'islands list',
    summary: 'Lists islands, including drafts and hidden ones, newest first',
    options: {
      search: { value: 'text', summary: 'Only islands with this in their slug, name or host’s' },
      only: { value: 'kind', summary: `Only islands of this kind: ${islandKinds.join(', ')}` },
      ...pageOptions,
    },
    route: listAllIslands,
    request: ({ search, only, after, limit }) => ({
      query: { search, after, limit, only: oneOf('only', only, islandKinds) },
    }),
    print: ({ islands, hasMore }) =>
      list(
        islands,
        {
          NAME: (island) => island.name,
          SLUG: (island) => island.slug,
          HOST: hostOf,
          STATE: stateOf,
          OPEN: (island) => (island.isOpen ? 'yes' : 'no'),
          MEMBERS: (island) => island.memberCount,
          'MADE (UTC)': (island) => printTime(island.createdAt),
          ID: (island) => island.id,
        },
        hasMore && `--after ${islands.at(-1)?.id}`,
      ),
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
        Address: island.address,
        ...(island.isRelayed && { Relay: servedOf(island) }),
        ...(island.isHosted && { 'Pages here': servedOf(island) }),
        Open: island.isOpen ? 'yes' : island.pause === null ? 'no' : 'no, paused by its host',
        Members: island.memberCount,
        Made: printUtc(island.createdAt),
        Published: printUtc(island.publishedAt),
        ...(island.hidden !== null && { Reason: island.hidden.reason }),
      })
      return { text, json: island }
    },
  }),
  command({
    words: 'islands hide',
    summary: 'Hides an island from everybody but its host, who sees why',
    arguments: [slug, reason],
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
    summary: 'Stops the relay or the pages of an island, whose host sees why',
    arguments: [slug, reason],
    run: async ({ input, call }) => {
      const { id } = await findBySlug(call, input.slug)
      const body = { reason: input.reason }
      const island = await call(stopIslandRelay, { params: { id }, body })
      return { text: `The relay no longer carries visitors to ${island.name}.`, json: island }
    },
  }),
  command({
    words: 'islands start',
    summary: 'Starts the relay or the pages of an island again',
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
    options: { to: { value: 'username', summary: 'Its new host; this server by default' } },
    run: async ({ input, call }) => {
      const { id } = await findBySlug(call, input.slug)
      const body = { host: input.to ?? null }
      const island = await call(handOverIsland, { params: { id }, body })
      return { text: `${island.name} belongs to ${hostOf(island)}.`, json: island }
    },
  }),
]

function servedOf({ relayStopped }: OperatorIsland): string {
  if (relayStopped === null) return 'yes'
  return `stopped since ${printUtc(relayStopped.at)}: ${relayStopped.reason}`
}

function hostOf({ host }: OperatorIsland): string {
  return host ?? 'this server'
}

function stateOf({ publishedAt, access, isListed, hidden }: OperatorIsland): string {
  if (publishedAt === null) return hidden === null ? 'draft' : 'draft, hidden'
  const policies = {
    public: 'for everybody',
    members: 'for signed-in users',
    invited: 'by invitation',
  }
  return [policies[access], isListed && 'listed', hidden !== null && 'hidden']
    .filter(Boolean)
    .join(', ')
}
