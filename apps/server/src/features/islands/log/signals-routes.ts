import { directoryPageLength, listSignals } from '@astropelago/contract/island-directory'
import type { FastifyInstance } from 'fastify'
import { PacedAnswer } from '../../../paced-answer.ts'
import { isInDirectory, signedOutViewer } from '../access-policy.ts'
import type { IslandsRoutesContext } from '../islands-context.ts'
import { readCard } from '../present-island.ts'
import type { LogStore } from './log-store.ts'
import { presentLogEntry } from './present-log-entry.ts'

/** Signals that everybody may see. The answer is the same for all readers. */
export async function signalsRoutes(
  app: FastifyInstance,
  context: IslandsRoutesContext & { readonly log: Pick<LogStore, 'listPublicSignals' | 'find'> },
) {
  const { serve, clock, presence, islands, log } = context
  const viewer = signedOutViewer

  const list = (afterId?: string) =>
    log.listPublicSignals({ nowMs: clock(), afterId, limit: directoryPageLength + 1 })
  const first = new PacedAnswer({ make: () => list(), isCurrent: () => false, clock })

  serve(app, listSignals, async ({ query: { after } }) => {
    const page = after === undefined ? await first.get() : await list(after)
    const ids = page.slice(0, directoryPageLength).map(({ id }) => id)
    // Read again, because entries of a cached page and islands may have changed since.
    const byId = new Map((await log.find(ids)).map((entry) => [entry.id, entry]))
    const entries = ids.flatMap((id) => byId.get(id) ?? []).filter(({ hidden }) => hidden === null)
    const read = await islands.read([...new Set(entries.map(({ islandKey }) => islandKey))])
    const listed = read.filter((island) => island.access === 'public' && isInDirectory(island))
    const cards = listed.map(async (island) => {
      const card = await readCard({ island, viewer }, presence)
      return [island.key, { island, card }] as const
    })
    const byKey = new Map(await Promise.all(cards))
    const signals = entries.flatMap((entry) => {
      const its = byKey.get(entry.islandKey)
      if (its === undefined) return []
      return [{ island: its.card, entry: presentLogEntry(entry, { island: its.island, viewer }) }]
    })
    const next = page.length > ids.length ? (entries.at(-1)?.id ?? null) : null
    return { status: 200, body: { signals, next } }
  })
}
