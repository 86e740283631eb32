import { randomUUID } from 'node:crypto'
import {
  createCheck,
  deleteCheck,
  getCheck,
  getCheckHistory,
  getOwnCheck,
  listOwnChecks,
  renewPushAddress,
  runCheck,
  updateCheck,
  type CheckDetails,
} from '@astropelago/contract/checks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import { refuseDemo } from '../../http/refuse-demo.ts'
import type { Serve } from '../../http/serve-route.ts'
import { readPosition } from '../../page-position.ts'
import { hashToken } from '../../secret-token.ts'
import { ReferenceViolation } from '../../storage/storage-error.ts'
import type { IslandsFeature } from '../islands/public.ts'
import type { CheckRecord, ChecksStore } from './checks-store.ts'
import { presentCheck, presentOwnCheck, visibleFrom } from './present-check.ts'
import type { ProbedTarget, ProbeResult } from './probe.ts'
import type { ReadCheckHistory } from './read-check-history.ts'

export interface ChecksRoutesOptions {
  readonly serve: Serve
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly store: ChecksStore
  readonly history: ReadCheckHistory
  readonly islands: Pick<IslandsFeature, 'findHosted'>
  readonly clock: Clock
  readonly publicUrl: string
  readonly limitOf: (user: UserCaller) => number
  readonly limitRuns: (userKey: number) => void
  readonly limitRenewals: (userKey: number) => void
  /** Looks at once and records what it finds, except for a paused check. */
  readonly runCheck: (check: CheckRecord, target: ProbedTarget) => Promise<ProbeResult>
  /** Whether nobody ever looks at this target: it is inside, or this server's own. */
  readonly isRefused: (target: ProbedTarget) => boolean
  readonly findOwnDeviceKey: (userKey: number, id: string) => Promise<number | undefined>
}

type Looks = Pick<CheckDetails, 'target' | 'device' | 'visibility' | 'island'>

export async function checksRoutes(app: FastifyInstance, options: ChecksRoutesOptions) {
  const { serve, store, history, islands, clock, publicUrl } = options

  const findOwn = async ({ userKey }: UserCaller, id: string) => {
    const check = await store.find(id)
    if (check?.userKey !== userKey) throw new DomainError('not_found')
    return check
  }

  const findVisible = async (
    keyHolder: UserCaller | undefined,
    request: FastifyRequest,
    id: string,
  ) => {
    const user = keyHolder ?? (await options.findUser(request))
    const check = await store.find(id)
    const readerKey = user?.userKey ?? null
    const visibleFromMs = check && visibleFrom(check, readerKey)
    if (check === undefined || visibleFromMs === undefined) throw new DomainError('not_found')
    return { check, visibleFromMs, isOwn: check.userKey === readerKey }
  }

  /** Only the owner's devices look at some targets. */
  const checkLooks = ({ target, device }: Looks) => {
    if (device !== null || target.kind === 'push') return
    if (target.kind === 'ping') throw invalid('device', 'Choose a device: this server can’t ping.')
    if (options.isRefused(target)) throw new DomainError('inside_address')
  }

  const checkDevice = async (userKey: number, id: string | null) => {
    const isMissing = id !== null && (await options.findOwnDeviceKey(userKey, id)) === undefined
    if (isMissing) throw invalid('device', 'Choose one of your own devices.')
  }

  const findIslandKey = async (userKey: number, id: string | null) => {
    if (id === null) return null
    const island = await islands.findHosted(userKey, id).catch(invalidIfMissing)
    if (island.address === null) throw invalidIsland()
    return island.key
  }

  // S20: the secret is shown once, and stored as a hash alone.
  const makePushAddress = () => {
    const secret = randomUUID()
    return { pushUrl: `${publicUrl}/ping/${secret}`, pushHash: hashToken(secret) }
  }

  serve(app, listOwnChecks, async ({ user }) => ({
    status: 200,
    body: (await store.list(user.userKey)).map(presentOwnCheck),
  }))

  serve(app, createCheck, async ({ user, body }) => {
    const { name, target, visibility, isPaused, island, device } = body
    checkLooks(body)
    checkPrivate(body)
    await checkDevice(user.userKey, device)
    const islandKey = await findIslandKey(user.userKey, island)
    const { pushUrl, pushHash } =
      target.kind === 'push' ? makePushAddress() : { pushUrl: null, pushHash: null }
    const nowMs = clock()
    const check = {
      id: randomUUID(),
      userKey: user.userKey,
      name,
      target,
      publicMs: visibility === 'public' ? nowMs : null,
      isPaused,
      islandKey,
      deviceId: device,
      pushHash,
      sourceId: null,
      createdMs: nowMs,
    }
    const inserting = store.insert(check, { perUser: options.limitOf(user) })
    const made = await inserting.catch(invalidIfGone)
    if (made === 'check_limit') throw new DomainError('check_limit')
    return { status: 201, body: { ...presentOwnCheck(made), pushUrl } }
  })

  serve(app, getOwnCheck, async ({ user, params }) => ({
    status: 200,
    body: presentOwnCheck(await findOwn(user, params.id)),
  }))

  serve(app, updateCheck, async ({ user, params, body }) => {
    const check = await findOwn(user, params.id)
    const { visibility, island, target, device, ...others } = body
    if (target !== undefined) {
      if ((target.kind === 'push') !== (check.target.kind === 'push')) {
        throw invalid('target', 'Reports by a script need a check of their own.')
      }
    }
    const after = { ...presentOwnCheck(check), ...body }
    if (target !== undefined || device !== undefined || body.isPaused === false) checkLooks(after)
    checkPrivate(after)
    if (device !== undefined) await checkDevice(user.userKey, device)
    const islandKey = island === undefined ? undefined : await findIslandKey(user.userKey, island)
    const nowMs = clock()
    const update = {
      ...others,
      ...(target !== undefined && { target }),
      ...(islandKey !== undefined && { islandKey }),
      ...(device !== undefined && { deviceId: device }),
      ...(visibility !== undefined && {
        publicMs: visibility === 'public' ? (check.publicMs ?? nowMs) : null,
      }),
    }
    await store.update(check.key, update, nowMs).catch(invalidIfGone)
    return { status: 200, body: presentOwnCheck(await findOwn(user, params.id)) }
  })

  serve(app, deleteCheck, async ({ user, params }) => {
    await store.delete((await findOwn(user, params.id)).key)
    return { status: 204 }
  })

  serve(app, runCheck, async ({ user, params }) => {
    const check = await findOwn(user, params.id)
    if (check.target.kind === 'push') throw new DomainError('invalid_input')
    options.limitRuns(user.userKey)
    const found = await options.runCheck(check, check.target)
    const { isUp, tookMs } = found
    const isSeen = found.isUp || found.isUnseen !== true
    return { status: 200, body: { isUp, isSeen, tookMs, note: found.isUp ? null : found.note } }
  })

  serve(
    app,
    renewPushAddress,
    async ({ user, params }) => {
      const check = await findOwn(user, params.id)
      if (check.target.kind !== 'push') throw new DomainError('not_found')
      options.limitRenewals(user.userKey)
      const { pushUrl, pushHash } = makePushAddress()
      await store.update(check.key, { pushHash }, clock())
      return { status: 200, body: { pushUrl } }
    },
    { refuseCaller: refuseDemo },
  )

  serve(app, getCheck, async ({ user, request, params }) => {
    const { check, visibleFromMs } = await findVisible(user, request, params.id)
    return { status: 200, body: presentCheck(check, visibleFromMs) }
  })

  serve(app, getCheckHistory, async ({ user, request, params, query }) => {
    const after = readPosition(query.after)
    if (after === undefined) throw new DomainError('invalid_input')
    const { check, ...reader } = await findVisible(user, request, params.id)
    return { status: 200, body: await history.readPage(check, { ...reader, after }) }
  })
}

/** Nobody else learns of it ([C17]). */
function checkPrivate({ target, device, visibility, island }: Looks): void {
  if (device === null) return
  if (target.kind === 'push') throw invalid('device', 'Scripts report to this server.')
  if (visibility === 'public')
    throw invalid('visibility', 'What your own device checks stays private.')
  if (island !== null) throw invalid('island', 'What your own device checks opens no island.')
}

const invalid = (field: string, sentence: string) =>
  new DomainError('invalid_check', { fields: { [field]: sentence } })

const invalidIsland = () => invalid('island', 'Choose an island of your own with a link.')

function invalidIfMissing(error: unknown): never {
  throw error instanceof DomainError ? invalidIsland() : error
}

/** The island was deleted a moment ago. */
function invalidIfGone(error: unknown): never {
  throw error instanceof ReferenceViolation ? invalidIsland() : error
}
