import { randomUUID } from 'node:crypto'
import {
  enterPath,
  makeTicket,
  readDoorway,
  takeBackAnswer,
} from '@astropelago/contract/relay-access'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../../domain-error.ts'
import { hourlyLimit } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { hashToken, makeToken } from '../../../secret-token.ts'
import { domainOrigin } from '../../../relay-address.ts'
import type { AccountsFeature } from '../../accounts/public.ts'
import type { IslandsFeature } from '../../islands/public.ts'
import type { RelayBase } from '../relay-base.ts'
import { ownOrigin } from '../served-islands.ts'
import type { GrantsStore } from './grants-store.ts'

const ticketMs = 60_000
/** For one session. Each page that is opened at the same time takes one. */
const ticketsPerSession = 20
/** For one user. Each page that is opened without a grant takes one. */
const ticketsPerHour = 600
const answersPerUser = 1000

export async function accessRoutes(
  app: FastifyInstance,
  {
    serve,
    store,
    clock,
    cluster,
    config,
    islands,
    allIslands,
    accounts,
  }: RelayBase & {
    readonly serve: Serve
    readonly store: GrantsStore
    readonly allIslands: Pick<IslandsFeature, 'findAccess'>
    readonly accounts: Pick<AccountsFeature, 'sessionHashOf'>
  },
) {
  const { publicUrl } = config
  /** By a slug, an old one, or the domain of its own from which the browser comes. */
  const findAccess = async (userKey: number, asked: string) => {
    const named = islands.findByDomain(asked)
    const found = await allIslands.findAccess(userKey, named?.slug ?? asked)
    if (named !== undefined)
      return { ...found, address: domainOrigin(asked, publicUrl), isHere: true }
    const island = islands.find(found.islandKey)
    const origin = island === undefined ? null : ownOrigin(island, publicUrl)
    // Browser states are for the host name from which they come. Under an old slug they are useless.
    return {
      ...found,
      address: origin ?? found.address,
      isHere: origin === null && found.slug === asked,
    }
  }
  const limitTickets = hourlyLimit(ticketsPerHour, cluster.size)

  serve(app, readDoorway, async ({ params, user }) => {
    const found = await findAccess(user.userKey, params.slug)
    const { slug, name, host, access, mayEnter, pause, address, isHere, isHosted } = found
    const tellsName = await store.findAnswer(user.userKey, found.islandKey)
    const wayIn = address === null ? null : new URL(enterPath, address).href
    const yourName = user.name ?? user.username
    return {
      status: 200,
      body: {
        slug,
        name,
        host,
        access,
        mayEnter,
        pause,
        wayIn,
        isHere,
        isHosted,
        yourName,
        tellsName,
      },
    }
  })

  serve(app, makeTicket, async ({ params, body, user, request }) => {
    limitTickets(String(user.userKey))
    const { userKey } = user
    const { islandKey, mayEnter, address, isHere } = await findAccess(userKey, params.slug)
    if (!mayEnter || address === null || !isHere) throw new DomainError('not_found')
    const { tellsName } = body
    if (tellsName !== undefined && (await store.findAnswer(userKey, islandKey)) !== tellsName) {
      const answer = { userKey, islandKey, visitorId: randomUUID(), tellsName }
      await store.answer({ ...answer, answeredMs: clock() }, answersPerUser)
    }
    const ticket = makeToken()
    const issued = {
      ticketHash: hashToken(ticket),
      stateHash: Buffer.from(body.state, 'base64url'),
      islandKey,
      hostName: new URL(address).hostname,
      sessionHash: accounts.sessionHashOf(request),
      expiresMs: clock() + ticketMs,
    }
    await store.insertTicket(issued, ticketsPerSession)
    return { status: 201, body: { ticket } }
  })

  serve(app, takeBackAnswer, async ({ params, user }) => {
    const { islandKey } = await findAccess(user.userKey, params.slug)
    await store.takeBack(user.userKey, islandKey, clock())
    return { status: 204 }
  })
}
