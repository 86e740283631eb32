import { isCallOn } from '@astropelago/contract/devices'
import {
  checkSlug,
  closeIsland,
  continueIsland as continueIslandRoute,
  createIsland,
  getIsland,
  getOwnIsland,
  listJoinedIslands,
  listOwnIslands,
  pauseIsland as pauseIslandRoute,
  publishIsland as publishIslandRoute,
  renameSlug as renameSlugRoute,
  updateIsland,
} from '@astropelago/contract/islands'
import { membershipsPerUser } from '@astropelago/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import type { OwnOrigin } from '../../http/own-origin.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import type { RelayAddress } from '../../relay-address.ts'
import type { Serve } from '../../http/serve-route.ts'
import { changeIsland, type CarrierDeps } from './change-island.ts'
import { mayKnow } from './access-policy.ts'
import { readOpenness, readVisibleOpenness, type CarrierPresence } from './island-openness.ts'
import type { IslandsStore, OwnIslandRecord } from './islands-store.ts'
import { makeIsland } from './make-island.ts'
import { continueIsland, pauseIsland } from './pause-island.ts'
import { presentCard, presentOwnIsland } from './present-island.ts'
import { publishIsland, renameSlug, slugSentence } from './publish-island.ts'
import { oldSlugMs } from './slugs.ts'
import { viewIsland } from './view-island.ts'

const dayMs = 86_400_000

export interface IslandsRoutesOptions extends CarrierDeps {
  readonly serve: Serve
  /** The signed-in user; undefined for a visitor. */
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly ownOrigin: OwnOrigin
  readonly store: IslandsStore
  readonly clock: Clock
  readonly presence: CarrierPresence
  readonly relayAddress: RelayAddress
  /** @throws DomainError `rate_limited` if the user changed islands too often */
  readonly limitChanges: (userKey: number) => void
}

export async function islandsRoutes(app: FastifyInstance, options: IslandsRoutesOptions) {
  const { serve, findUser, ownOrigin, store, clock, presence, limitChanges } = options
  const { relayAddress } = options
  const oldSinceMs = () => clock() - oldSlugMs
  const since = () => ({ notesMs: clock() - dayMs, oldSlugsMs: oldSinceMs() })

  const presentForHost = async (island: OwnIslandRecord) =>
    presentOwnIsland(island, { openness: await readOpenness(island, presence), relayAddress })
  const presentOwn = async (userKey: number, id: string) => {
    const island = await store.findOwn(userKey, id, since())
    if (island === undefined) throw new DomainError('not_found')
    return await presentForHost(island)
  }
  const answerChanged = async (
    request: FastifyRequest,
    user: UserCaller,
    id: string,
    event: IslandEvent,
  ) => {
    logEvent(request, user, event, id)
    return { status: 200, body: await presentOwn(user.userKey, id) } as const
  }
  /** @throws DomainError `invalid_island` */
  const refuseOwnCalls = (request: FastifyRequest, address: string | null | undefined) => {
    const { host } = new URL(ownOrigin(request))
    if (address === null || address === undefined || !isCallOn(host, address)) return
    throw new DomainError('invalid_island', {
      fields: { address: 'Programs call this address. Enter one that visitors can open.' },
    })
  }
  serve(app, listOwnIslands, async ({ user }) => {
    const islands = await store.listOwn(user.userKey, since())
    return { status: 200, body: await Promise.all(islands.map(presentForHost)) }
  })

  serve(app, listJoinedIslands, async ({ user }) => {
    const joined = await store.listJoined(user.userKey, membershipsPerUser)
    const known = joined.filter(({ island, viewer }) => mayKnow(island, viewer))
    const cards = known.map(async (found) =>
      presentCard(found.island, await readVisibleOpenness(found, presence)),
    )
    return { status: 200, body: await Promise.all(cards) }
  })

  serve(app, checkSlug, async ({ user, params }) => {
    const sentence = await slugSentence({ store }, user.userKey, params.slug)
    return { status: 200, body: { isFree: sentence === null, sentence } }
  })

  serve(
    app,
    createIsland,
    async ({ user, body, request }) => {
      refuseOwnCalls(request, body.address)
      const { id } = await makeIsland(options, user.userKey, body)
      logEvent(request, user, 'island_made', id)
      return { status: 201, body: await presentOwn(user.userKey, id) }
    },
    { refuseCaller: refuseDemo },
  )

  serve(app, getOwnIsland, async ({ user, params }) => ({
    status: 200,
    body: await presentOwn(user.userKey, params.id),
  }))

  serve(app, updateIsland, async ({ user, params, body, request }) => {
    limitChanges(user.userKey)
    refuseOwnCalls(request, body.address)
    await changeIsland(options, user.userKey, params.id, body)
    return await answerChanged(request, user, params.id, 'island_changed')
  })

  serve(
    app,
    publishIslandRoute,
    async ({ user, params, body, request }) => {
      limitChanges(user.userKey)
      await publishIsland({ store, clock }, user.userKey, params.id, body)
      return await answerChanged(request, user, params.id, 'island_published')
    },
    { refuseCaller: refuseDemo },
  )

  serve(app, renameSlugRoute, async ({ user, params, body, request }) => {
    limitChanges(user.userKey)
    await renameSlug({ store, clock }, user.userKey, params.id, body.slug)
    return await answerChanged(request, user, params.id, 'island_changed')
  })

  serve(app, pauseIslandRoute, async ({ user, params, body, request }) => {
    limitChanges(user.userKey)
    await pauseIsland({ store, clock }, user.userKey, params.id, body)
    return await answerChanged(request, user, params.id, 'island_paused')
  })

  serve(app, continueIslandRoute, async ({ user, params, request }) => {
    limitChanges(user.userKey)
    await continueIsland({ store, clock }, user.userKey, params.id)
    return await answerChanged(request, user, params.id, 'island_continued')
  })

  serve(app, closeIsland, async ({ user, params, body, request }) => {
    const island = await store.findOwn(user.userKey, params.id, since())
    if (island === undefined) throw new DomainError('not_found')
    if (body.slug !== island.slug) {
      throw new DomainError('invalid_input', {
        fields: { slug: 'Type the island’s address as it is written.' },
      })
    }
    const closed = await store.delete(user.userKey, params.id)
    if (closed === undefined) throw new DomainError('not_found')
    logEvent(request, user, 'island_closed', params.id)
    return { status: 204 }
  })

  serve(app, getIsland, async ({ params, request }) => {
    const user = await findUser(request)
    const view = await viewIsland(options, user?.userKey ?? null, params.slug, user?.isOperator)
    // Demo accounts are short-lived, so they may only look.
    return {
      status: 200,
      body: user?.isDemo === true ? { ...view, mayJoin: false, mayNote: false } : view,
    }
  })
}

type IslandEvent = `island_${'made' | 'changed' | 'published' | 'paused' | 'continued' | 'closed'}`

/** Logs who did what from where, with the keys and ids that the database uses. */
function logEvent(
  request: FastifyRequest,
  { userKey }: UserCaller,
  event: IslandEvent,
  island: string,
): void {
  request.log.info({ event, userKey, island, address: request.ip }, 'island event')
}
