import { randomUUID } from 'node:crypto'
import {
  getCheckArcs,
  getCheckProof,
  listCheckDoubts,
  listOwnLocations,
  proveCheck,
  setOwnLocation,
  type CheckProof,
} from '@astropelago/contract/check-locations'
import type { PublicDevice } from '@astropelago/contract/devices'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import { dayMs } from '../../../history/time-spans.ts'
import type { UserCaller } from '../../../http/callers.ts'
import { refuseDemo } from '../../../http/refuse-demo.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { isoTime } from '../../../iso-time.ts'
import { ReferenceViolation } from '../../../storage/storage-error.ts'
import type { CheckRecord, ChecksStore } from '../checks-store.ts'
import { sharedTarget } from '../probe.ts'
import { hasLostVote } from './quorum.ts'
import type { CheckLocations, Lenders } from './check-locations.ts'
import type { LocationsStore, Proof } from './locations-store.ts'
import { placeOf } from '../../../outgoing/place.ts'
import {
  makeProofCode,
  proofMs,
  proofText,
  type createProofs,
  type ProofsOptions,
} from './proofs.ts'

const doubtsMax = 200

export interface LocationsRoutesOptions {
  readonly store: LocationsStore
  readonly checks: Pick<ChecksStore, 'find' | 'read'>
  readonly locations: Pick<CheckLocations, 'refresh'>
  readonly proofs: Pick<ReturnType<typeof createProofs>, 'ask'>
  readonly placesOf: ProofsOptions['placesOf']
  readonly lenders: Pick<Lenders, 'perHour'>
  readonly clock: Clock
  readonly limitProofs: (userKey: number) => void
  readonly closing: AbortSignal
}

export interface LocationsContext {
  readonly serve: Serve
  readonly findUser: (request: FastifyRequest) => Promise<UserCaller | undefined>
  readonly findOwnDeviceKey: (userKey: number, id: string) => Promise<number | undefined>
  readonly readPublicDevices: (
    keys: readonly number[],
  ) => Promise<ReadonlyMap<number, PublicDevice>>
}

export async function locationsRoutes(
  app: FastifyInstance,
  {
    serve,
    findUser,
    findOwnDeviceKey,
    readPublicDevices,
    ...options
  }: LocationsRoutesOptions & LocationsContext,
) {
  const { store, checks, locations, proofs, lenders, clock } = options

  const findProof = async (userKey: number, id: string) => {
    const check = await checks.find(id)
    if (check?.userKey !== userKey) throw new DomainError('not_found')
    const target = sharedTarget(check)
    if (target === undefined) throw new DomainError('invalid_input')
    const place = placeOf(target)
    const inUse = (await options.placesOf(userKey)).map(({ name }) => name)
    return { place, proof: await store.openProof(userKey, place.name, makeProofCode(), inUse) }
  }

  serve(app, listOwnLocations, async ({ user }) => {
    const own = await store.listOwn(user.userKey)
    const body = await Promise.all(
      own.map(async ({ deviceKey, deviceId, isLending, consentedMs, region }) => ({
        device: deviceId,
        isLending,
        consentedAt: isoTime(consentedMs),
        region,
        perHour: lenders.perHour(deviceKey) ?? null,
        checked: await listChecked(deviceKey),
      })),
    )
    return { status: 200, body }
  })

  /** What a device looked at in the last 24 hours, also for checks that share a place. */
  const listChecked = async (deviceKey: number) => {
    const counts = await store.countLooks(deviceKey, clock() - dayMs)
    const found = await checks.read(counts.map(({ checkKey }) => checkKey))
    const places = new Map(found.map((check) => [check.key, placeNameOf(check)]))
    const byPlace = Map.groupBy(counts, ({ checkKey }) => places.get(checkKey))
    return [...byPlace].flatMap(([place, looks]) =>
      place === undefined
        ? []
        : [{ place, count: looks.reduce((sum, { count }) => sum + count, 0) }],
    )
  }

  serve(
    app,
    setOwnLocation,
    async ({ user, params, body }) => {
      const deviceKey = await findOwnDeviceKey(user.userKey, params.device)
      if (deviceKey === undefined) throw new DomainError('not_found')
      const change = { ...body, id: randomUUID(), atMs: clock() }
      await store.setLending(deviceKey, change).catch((error: unknown) => {
        throw error instanceof ReferenceViolation ? new DomainError('not_found') : error
      })
      await locations.refresh()
      return { status: 204 }
    },
    { refuseCaller: refuseDemo },
  )

  serve(app, listCheckDoubts, async () => {
    const nowMs = clock()
    const body = (await store.describeDoubts(doubtsMax)).map(
      ({ lender, deviceId, checkId, owner, sinceMs }) => ({
        lender,
        device: deviceId,
        check: checkId,
        owner,
        since: isoTime(sinceMs),
        hasVote: !hasLostVote(sinceMs, nowMs),
      }),
    )
    return { status: 200, body }
  })

  serve(app, getCheckArcs, async ({ request, params }) => {
    const userKey = (await findUser(request))?.userKey ?? null
    const arcs = await store.findArcs(params, { userKey, sinceMs: clock() - dayMs })
    const carrierKey = arcs.find(({ carrierKey: key }) => key !== null)?.carrierKey ?? null
    const deviceKeys = [...new Set(arcs.map(({ deviceKey }) => deviceKey))]
    const shown = await readPublicDevices([
      ...deviceKeys,
      ...(carrierKey === null ? [] : [carrierKey]),
    ])
    const body = {
      target: carrierKey === null ? null : (shown.get(carrierKey) ?? null),
      locations: deviceKeys.flatMap((key) => shown.get(key) ?? []),
    }
    return { status: 200, body }
  })

  serve(app, getCheckProof, async ({ user, params }) => {
    const { proof } = await findProof(user.userKey, params.id)
    return { status: 200, body: presentProof(proof, clock()) }
  })

  serve(
    app,
    proveCheck,
    async ({ user, params }) => {
      const { place, proof } = await findProof(user.userKey, params.id)
      options.limitProofs(user.userKey)
      const asked = await proofs.ask(proof, place, options.closing)
      await locations.refresh()
      return { status: 200, body: presentProof(asked, clock()) }
    },
    { refuseCaller: refuseDemo },
  )
}

function placeNameOf(check: CheckRecord): string | undefined {
  const target = sharedTarget(check)
  return target && placeOf(target).name
}

function presentProof(proof: Proof, nowMs: number): CheckProof {
  const { place, provenMs, askedMs } = proof
  const endMs = provenMs === null ? null : provenMs + proofMs
  const isProven = endMs !== null && endMs > nowMs
  return {
    place,
    text: proofText(proof),
    provenAt: isoTime(isProven ? provenMs : null),
    endsAt: isoTime(isProven ? endMs : null),
    askedAt: isoTime(askedMs),
  }
}
