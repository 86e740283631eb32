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
  type IslandChanges,
} from '@astropelago/contract/islands'
import { membershipsPerUser } from '@astropelago/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import { dayMs } from '../../history/time-spans.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import type { Call } from '../../http/serve-route.ts'
import {
  changeIsland,
  continueIsland,
  makeIsland,
  pauseIsland,
  publishIsland,
  renameSlug,
  slugSentence,
} from './change-island.ts'
import { isVisible } from './find-island.ts'
import { readOpenness } from './island-openness.ts'
import type { IslandsRoutesContext } from './islands-context.ts'
import type { OwnIslandRecord } from './islands-store.ts'
import { presentOwnIsland, readCard, viewIsland } from './present-island.ts'
import { oldSlugMs } from './slugs.ts'

export async function islandsRoutes(
  app: FastifyInstance,
  context: IslandsRoutesContext & {
    /** @throws DomainError `rate_limited` */
    readonly limitChanges: (userKey: number) => void
  },
) {
  const { serve, findUser, ownOrigin, islands, clock, presence, limitChanges } = context
  const since = () => ({ notesMs: clock() - dayMs, oldSlugsMs: clock() - oldSlugMs })

  const presentForHost = async (island: OwnIslandRecord) =>
    presentOwnIsland(island, await readOpenness(island, presence), context.relayAddress)
  const findOwn = async (userKey: number, id: string) => {
    const island = await islands.findOwn(userKey, id, since())
    if (island === undefined) throw new DomainError('not_found')
    return island
  }
  const presentOwn = async (userKey: number, id: string) =>
    await presentForHost(await findOwn(userKey, id))

  const change = async (
    call: Pick<Call<typeof continueIslandRoute>, 'user' | 'params' | 'request'>,
    event: IslandEvent,
    act: (userKey: number, id: string) => Promise<void>,
  ) => {
    const { userKey } = call.user
    const { id } = call.params
    limitChanges(userKey)
    await act(userKey, id)
    logEvent(call.request, userKey, event, id)
    return { status: 200, body: await presentOwn(userKey, id) } as const
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
    const own = await islands.listOwn(user.userKey, since())
    return { status: 200, body: await Promise.all(own.map(presentForHost)) }
  })

  serve(app, listJoinedIslands, async ({ user }) => {
    const joined = await islands.listJoined(user.userKey, membershipsPerUser)
    const cards = joined.filter(isVisible).map((found) => readCard(found, presence))
    return { status: 200, body: await Promise.all(cards) }
  })

  serve(app, checkSlug, async ({ user, params }) => {
    const sentence = await slugSentence(islands, user.userKey, params.slug)
    return { status: 200, body: { isFree: sentence === null, sentence } }
  })

  serve(app, createIsland, async ({ user, body, request }) => {
    const { userKey } = user
    refuseOwnCalls(request, body.address)
    const id = await makeIsland(context, user, body)
    logEvent(request, userKey, 'island_made', id)
    return { status: 201, body: await presentOwn(userKey, id) }
  })

  serve(app, getOwnIsland, async ({ user, params }) => ({
    status: 200,
    body: await presentOwn(user.userKey, params.id),
  }))

  serve(app, updateIsland, (call) =>
    change(call, 'island_changed', async (userKey, id) => {
      if (call.user.isDemo) refuseOtherWays(call.body)
      refuseOwnCalls(call.request, call.body.address)
      await changeIsland(context, userKey, id, call.body)
    }),
  )

  serve(
    app,
    publishIslandRoute,
    (call) =>
      change(call, 'island_published', (userKey, id) =>
        publishIsland(context, userKey, id, call.body),
      ),
    { refuseCaller: refuseDemo },
  )

  serve(
    app,
    renameSlugRoute,
    (call) =>
      change(call, 'island_changed', (userKey, id) =>
        renameSlug(context, userKey, id, call.body.slug),
      ),
    { refuseCaller: refuseDemo },
  )

  serve(app, pauseIslandRoute, (call) =>
    change(call, 'island_paused', (userKey, id) => pauseIsland(context, userKey, id, call.body)),
  )

  serve(app, continueIslandRoute, (call) =>
    change(call, 'island_continued', (userKey, id) => continueIsland(context, userKey, id)),
  )

  serve(app, closeIsland, async ({ user: { userKey }, params: { id }, body, request }) => {
    const { slug } = await findOwn(userKey, id)
    if (body.slug !== slug) {
      throw new DomainError('invalid_input', {
        fields: { slug: 'Type the island’s address as it is written.' },
      })
    }
    const closed = await islands.delete(userKey, id)
    if (closed === undefined) throw new DomainError('not_found')
    logEvent(request, userKey, 'island_closed', id)
    return { status: 204 }
  })

  serve(app, getIsland, async ({ params, request }) => {
    const user = await findUser(request)
    const view = await viewIsland(context, user?.userKey ?? null, params.slug, user?.isOperator)
    if (view === undefined) throw new DomainError('not_found')
    // Demo accounts are short-lived, so they may only look.
    const body = user?.isDemo === true ? { ...view, mayJoin: false, mayNote: false } : view
    return { status: 200, body }
  })
}

type IslandEvent = `island_${'made' | 'changed' | 'published' | 'paused' | 'continued' | 'closed'}`

function logEvent(
  request: FastifyRequest,
  userKey: number,
  event: IslandEvent,
  island: string,
): void {
  request.log.info({ event, userKey, island, address: request.ip }, 'island event')
}

/** A demo account's island has pages here, and nothing else. @throws DomainError `demo_account` */
function refuseOtherWays({ address, isRelayed, isHosted, neighbours }: IslandChanges): void {
  const isOther = isRelayed === true || isHosted === false || typeof address === 'string'
  if (isOther || neighbours !== undefined) throw new DomainError('demo_account')
}
