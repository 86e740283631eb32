import { expect } from 'vitest'
import { viewIsland } from '../../../test/api-islands.ts'
import type { TestApp } from '../../../test/create-test-app.ts'
import type { TestAgent } from '../../../test/relay-agent.ts'
import { inTime } from '../../../test/in-time.ts'
import { createRelayApp, type shareRelayApp } from '../../../test/relay-app.ts'

export async function openingOf(app: Pick<TestApp, 'inject'>, slug: string) {
  const view = await viewIsland(app, slug)
  return { isOpen: view?.isOpen, since: view?.since }
}

/** A server with one relayed island that everybody may know of. */
export async function createOpeningsApp(open: typeof shareRelayApp = createRelayApp) {
  const relay = await open()
  const { host, island, slug, clock, storage } = relay
  await host.inject({
    method: 'POST',
    url: `/api/islands/${island.id}/publish`,
    payload: { access: 'public', isListed: true, slug },
  })
  const opening = () => openingOf(relay, slug)
  const becomes = async (isOpen: boolean) => {
    await expect.poll(async () => (await opening()).isOpen, inTime).toBe(isOpen)
  }
  const now = () => new Date(clock.now()).toISOString()
  const knownToEverybodyMs = async () => {
    const row = await storage.db
      .selectFrom('island_visible_since')
      .innerJoin('islands', 'islands.key', 'island_visible_since.island_key')
      .select('everybody_ms')
      .where('islands.id', '=', island.id)
      .executeTakeFirst()
    return row?.everybody_ms
  }
  /** Resolves when it is on record since when everybody may know of it. Only the host sees earlier times. */
  const known = async () => {
    await expect.poll(knownToEverybodyMs, inTime).toBe(clock.now())
  }
  const state = async () => (await host.inject({ url: `/api/islands/${island.id}/relay` })).body
  /** Resolves when the server knows that the only agent is gone. */
  const leave = async (agent: TestAgent) => {
    agent.cut()
    await expect.poll(state, inTime).toContain('"gone"')
  }
  return { ...relay, known, opening, becomes, now, leave }
}
