import type { FastifyInstance } from 'fastify'
import type { FeatureBase } from '../../../feature-base.ts'
import { hourlyLimit } from '../../../http/rate-limits.ts'
import { isoTime } from '../../../iso-time.ts'
import { counted, ownList } from '../../../own-data.ts'
import type { ChecksStore } from '../checks-store.ts'
import { type Probe, sharedTarget } from '../probe.ts'
import { CheckLocations, type Lenders } from './check-locations.ts'
import { locationsRoutes, type LocationsContext } from './locations-routes.ts'
import { placeOf } from '../../../outgoing/place.ts'
import { createProofs } from './proofs.ts'
import { sqlLocationsStore } from './sql-locations-store.ts'

/** Within this time, the server that asks locations knows who has stopped lending. */
const refreshMs = 5000
const sweepMs = 10 * 60_000
const proofsPerHour = 60

/** Locations that look at addresses for checks, beside the server. */
export function locationsFeature(
  { storage, cluster, clock, log, schedule }: FeatureBase,
  {
    checks,
    lenders,
    probe,
  }: {
    readonly checks: ChecksStore
    readonly lenders: Lenders
    readonly probe: Probe
  },
) {
  const store = sqlLocationsStore(storage)
  const locations = new CheckLocations({ store, lenders, clock, log })
  const placesOf = async (userKey: number) =>
    (await checks.list(userKey)).flatMap((check) => {
      const target = sharedTarget(check)
      return target === undefined ? [] : [placeOf(target)]
    })
  const proofs = createProofs({ store, probe, clock, placesOf })
  const closing = new AbortController()
  schedule.everyOnLeader(refreshMs, 'locations of checks were not read', () => locations.refresh())
  schedule.everyOnLeader(sweepMs, 'proofs of addresses were not looked for', proofs.sweep)
  return {
    locations,
    ownData: ownList({
      kind: 'checkLocations',
      text: (count) =>
        counted(count, 'device that looks at addresses', 'devices that look at addresses'),
      list: async (userKey) =>
        (await store.listOwn(userKey)).map(({ deviceId, region, isLending, consentedMs }) => ({
          device: deviceId,
          region,
          isLending,
          consentedAt: isoTime(consentedMs),
        })),
    }),
    routes: (app: FastifyInstance, context: LocationsContext) =>
      locationsRoutes(app, {
        ...context,
        store,
        checks,
        locations,
        proofs,
        placesOf,
        lenders,
        clock,
        limitProofs: hourlyLimit(proofsPerHour, cluster.size),
        closing: closing.signal,
      }),
    stop: () => closing.abort(),
  }
}
