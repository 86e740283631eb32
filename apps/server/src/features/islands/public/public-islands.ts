import { setImmediate as otherWork } from 'node:timers/promises'
import { listEtag } from '@astropelago/contract/feed'
import { carriedIslandsListed } from '@astropelago/contract/limits'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { FeatureBase } from '../../../feature-base.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { PacedAnswer } from '../../../paced-answer.ts'
import type { PublicMessages } from '../../../public-messages.ts'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import { Topic } from '../../../topic.ts'
import type { CachedIslands } from './cached-islands.ts'
import { directoryRoutes } from './directory-routes.ts'
import { ListedIslands } from './listed-islands.ts'
import type { PublicIslandsStore, RelayOpeningOf } from './public-islands-store.ts'
import { publishIslands, type IslandEvent } from './publish-islands.ts'
import { relayOpenings, type Carriage } from './relay-openings.ts'

const retryMs = 1000
/** The longest delay before an island closes or a pause ends. */
const closeMs = 250
/** By key. */
const RemovedIds = v.record(v.string(), v.string())
/** Pairs of an island and a user. */
const People = v.array(v.tuple([v.number(), v.number()]))
const Openings = v.array(
  v.object({ islandKey: v.number(), isOpen: v.boolean(), sinceMs: v.number() }),
)

/** Public islands in memory, what opens and closes all of them, and who is notified. */
export async function publicIslands(
  { cluster, changes, clock, schedule, log }: FeatureBase,
  store: PublicIslandsStore,
  /** Empty when it is handed in. */
  cached: CachedIslands,
  messages: PublicMessages,
) {
  const listed = new ListedIslands(clock)
  const events = new Topic<[event: IslandEvent]>()
  /** The islands on the globe and the map, and the live feed's sequence from which they can be updated. */
  const carried = new PacedAnswer({
    make: async () => {
      // The list may or may not include later changes. The feed repeats them after this sequence.
      const sequence = await messages.sealed()
      const json = Buffer.from(JSON.stringify(listed.carried(carriedIslandsListed)))
      return { sequence, etag: listEtag(sequence), json }
    },
    isCurrent: ({ sequence }) => messages.isCurrent(sequence),
    clock,
  })
  const publisher = publishIslands({
    store,
    cached,
    listed,
    events,
    messages: messages.of('island', (key) => {
      const card = listed.card(key)
      return card && Buffer.from(JSON.stringify(card))
    }),
    withdraw: () => carried.forget(),
  })
  for await (const page of store.loadAll()) {
    for (const island of page) publisher.load(island)
  }
  const { whenTakenOver, publishOpenings } = publisher

  /** What can’t be read now is published once it can. */
  const publishSoon = async (keys: readonly number[], publish = publisher.publishChanged) => {
    if (keys.length === 0) return
    await publish(keys).catch((error: unknown) => {
      if (!(error instanceof StorageUnavailable)) log.error({ err: error }, 'islands were not read')
    })
  }
  schedule.every(retryMs, 'islands were not read', () => publisher.publishPending())
  schedule.every(closeMs, 'pauses of islands did not end', () =>
    publishSoon(cached.takeEndedPauses()),
  )
  // What is still on its way into memory is not published yet.
  cluster.holdCursorsWhile(() => !publisher.isIdle())

  const publishRelayOpenings = (openings: readonly RelayOpeningOf[]) => {
    const changed = openings.filter(({ islandKey, isOpen, sinceMs }) =>
      cached.applyRelayOpening(islandKey, { isOpen, sinceMs }),
    )
    publishOpenings(changed.map(({ islandKey }) => islandKey))
  }
  const openings = relayOpenings({
    store,
    cached,
    clock,
    cluster,
    publish: publishRelayOpenings,
    onFailure: (error) => {
      if (error instanceof StorageUnavailable) return
      log.error({ err: error }, 'openings of relayed islands were not recorded')
    },
  })
  schedule.every(closeMs, 'islands were not closed', async () => openings.closeLeft())
  schedule.atEnd(() => openings.settled())

  const onChange = (listener: (islandKey: number) => void) =>
    events.subscribe(({ kind, islandKey }) => {
      if (kind === 'changed' || kind === 'gone') listener(islandKey)
    })
  onChange((islandKey) => openings.judge([islandKey]))

  changes.subscribe('islands', ({ keys }) => publishSoon(keys))
  changes.subscribe('island-checks', ({ keys }) => publishSoon(keys, publisher.publishChecks))
  cluster.onRow('relay-openings', ({ keys, details }) => {
    publishRelayOpenings(v.parse(Openings, details))
    openings.judge(keys)
  })
  for (const [topic, kind] of [
    ['island-log', 'log'],
    ['island-members', 'members'],
    ['island-requests', 'requests'],
  ] as const) {
    changes.subscribe(topic, ({ keys, details }) => {
      const people = v.parse(People, details ?? [])
      for (const islandKey of keys) {
        const id = cached.find(islandKey)?.id
        const userKeys = people.filter(([key]) => key === islandKey).map(([, user]) => user)
        if (id !== undefined) events.publish({ kind, islandKey, id, userKeys })
      }
    })
  }
  cluster.onLead((rows) => {
    publisher.begin()
    for (const { topic, keys, details } of rows) {
      if (topic === 'islands') {
        const removed = v.parse(RemovedIds, details ?? {})
        for (const key of keys) publisher.publishAgain(key, removed[key])
      } else if (topic === 'relay-openings' || topic === 'island-checks') {
        for (const key of keys) publisher.publishAgain(key)
      } else if (topic === 'devices' || topic === 'heartbeats' || topic === 'offline') {
        const carriedKeys = keys.flatMap((deviceKey) => cached.carriedBy(deviceKey))
        for (const key of carriedKeys) publisher.publishAgain(key)
      }
    }
    openings.begin(cached.relayedKeys())
  })

  return {
    listen: events.subscribe,
    /** Those that the relay carries, and those whose pages are here. */
    served: {
      find: (islandKey: number) => cached.findServed(islandKey),
      findBySlug: (slug: string) => cached.findServedBySlug(slug),
      findByDomain: (domain: string) => cached.findServedByDomain(domain),
      /** Includes the host’s latest changes. */
      findHosted: async (hostKey: number, id: string) => {
        await whenTakenOver()
        return cached.findServedOfHost(hostKey, id)
      },
      carriedBy: (deviceKey: number) =>
        cached
          .carriedBy(deviceKey)
          .flatMap((islandKey) => cached.findServed(islandKey) ?? [])
          .filter(({ isRelayed }) => isRelayed),
      onChange,
      onPeopleChange: (listener: (islandKey: number) => void) =>
        events.subscribe(({ kind, islandKey }) => {
          if (kind === 'members') listener(islandKey)
        }),
    },
    /** Those that other installations may show. The device is the one at whose place they show it. */
    shared: {
      keys: listed.shared,
      read: (key: number) => {
        const [facts, card] = [listed.facts(key), listed.card(key)]
        if (card === undefined || !listed.shared.has(key)) return undefined
        const carrier = facts?.carrier
        return { card, deviceKey: carrier?.isShared === true ? carrier.key : null }
      },
    },
    listSlugs: async function* (limit: number) {
      await whenTakenOver()
      for (const slugs of listed.slugs(limit)) {
        yield slugs
        await otherWork()
      }
    },
    isOpen: (islandKey: number) => cached.find(islandKey)?.opening.isOpen === true,
    hostOf: (islandKey: number) => cached.find(islandKey)?.hostKey ?? null,
    applyFlips: (deviceKeys: readonly number[], status: 'online' | 'offline') => {
      publishOpenings(cached.applyFlips(deviceKeys, status, clock()))
    },
    openWhileCarried: (carriage: Carriage) => {
      openings.follow(carriage)
      openings.begin(cached.relayedKeys())
    },
    /** The public may then see less of them. */
    followDevice: (deviceKey: number) => void publishSoon(cached.carriedBy(deviceKey)),
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      directoryRoutes(app, serve, {
        listed,
        readCarried: () => carried.get(),
        clock,
        whenTakenOver,
      }),
  }
}
