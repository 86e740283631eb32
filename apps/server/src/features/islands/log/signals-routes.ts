import { directoryPageLength, listSignals } from '@astropelago/contract/island-directory'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../../clock.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { isInDirectory, signedOutViewer } from '../access-policy.ts'
import { readVisibleOpenness, type CarrierPresence } from '../island-openness.ts'
import type { IslandsStore } from '../islands-store.ts'
import { presentCard } from '../present-island.ts'
import { PacedAnswer } from '../../../paced-answer.ts'
import type { LogRecord, LogStore } from './log-store.ts'
import { presentLogEntry } from './present-log-entry.ts'

export interface SignalsRoutesOptions {
  readonly serve: Serve
  readonly clock: Clock
  readonly presence: Pick<CarrierPresence, 'statusSince' | 'clock'>
  readonly islands: Pick<IslandsStore, 'read'>
  readonly log: Pick<LogStore, 'listPublicSignals' | 'find'>
}

/** Signals that everybody may see. The answer is the same for all readers. */
export async function signalsRoutes(app: FastifyInstance, options: SignalsRoutesOptions) {
  const { serve, clock, presence, islands, log } = options

  const list = async (afterId?: string) =>
    // One more than the page shows, to know whether there are more.
    await log.listPublicSignals({ nowMs: clock(), afterId, limit: directoryPageLength + 1 })
  const first = new PacedAnswer({ make: () => list(), isCurrent: () => false, clock })

  serve(app, listSignals, async ({ query: { after } }) => {
    const page = after === undefined ? await first.get() : await list(after)
    const shown = page.slice(0, directoryPageLength)
    const entries = after === undefined ? await findAgain(log, shown) : shown
    const read = await islands.read([...new Set(entries.map(({ islandKey }) => islandKey))])
    // Read again, because islands may have changed since.
    const listed = read.filter((island) => island.access === 'public' && isInDirectory(island))
    const cards = listed.map(async (island) => {
      const openness = await readVisibleOpenness({ island, viewer: signedOutViewer }, presence)
      const card = presentCard(island, openness)
      return [island.key, { island, card }] as const
    })
    const byKey = new Map(await Promise.all(cards))
    const signals = entries.flatMap((entry) => {
      const its = byKey.get(entry.islandKey)
      if (its === undefined) return []
      const { island, card } = its
      return [{ island: card, entry: presentLogEntry(entry, { island, viewer: signedOutViewer }) }]
    })
    const next = page.length > shown.length ? (entries.at(-1)?.id ?? null) : null
    return { status: 200, body: { signals, next } }
  })
}

/** Entries of a cached page that still exist and are not hidden. */
async function findAgain(
  log: Pick<LogStore, 'find'>,
  kept: readonly LogRecord[],
): Promise<readonly LogRecord[]> {
  const byId = new Map((await log.find(kept.map(({ id }) => id))).map((entry) => [entry.id, entry]))
  return kept.flatMap(({ id }) => {
    const entry = byId.get(id)
    return entry === undefined || entry.hidden !== null ? [] : [entry]
  })
}
