import { setImmediate as otherWork } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import * as v from 'valibot'
import type { Change } from '../../../cluster/cluster.ts'
import type { FeatureBase } from '../../../feature-base.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { PublicMessages } from '../../../public-messages.ts'
import { StorageUnavailable } from '../../../storage/storage-error.ts'
import type { RelayOpeningOf, RelayOpeningsStore } from '../relayed/relay-openings-store.ts'
import { RelayOpenings, type Carriage } from '../relayed/relay-openings.ts'
import { Topic } from '../../../topic.ts'
import { presentOpening } from '../island-openness.ts'
import { CarriedIslands } from './carried-islands.ts'
import { directoryRoutes } from './directory-routes.ts'
import { IslandChart } from './island-chart.ts'
import type { IslandEvent } from './island-events.ts'
import { createIslandPublisher } from './island-publisher.ts'
import type { CachedIslands } from './cached-islands.ts'
import { ListedIslands } from './listed-islands.ts'
import type { PublicIslandsStore } from './public-islands-store.ts'
import { RelayedIslands } from './relayed-islands.ts'
import { takeOverIslands } from './take-over-islands.ts'
import { publishChangedIslands } from './publish-changed-islands.ts'

const retryMs = 1000
/** The longest delay before an island closes or a pause ends. */
const closeMs = 250
/** By key, the ids of islands that are no longer listed, as changes have them. */
const RemovedIds = v.record(v.string(), v.string())
/** Pairs of an island and a user whose membership, request or block changed. */
const People = v.array(v.tuple([v.number(), v.number()]))

/** For islands that the relay carries. */
const Openings = v.array(
  v.object({ islandKey: v.number(), isOpen: v.boolean(), sinceMs: v.number() }),
)

interface PublicIslandsOptions {
  readonly store: PublicIslandsStore
  readonly relayOpenings: RelayOpeningsStore
  /** Empty when it is handed in. */
  readonly known: CachedIslands
  readonly messages: PublicMessages
}

/** Islands in memory: the public ones, what opens and closes all of them, and who is notified. */
export async function publicIslands(
  { cluster, changes, clock, schedule, log }: FeatureBase,
  { store, relayOpenings, known, messages }: PublicIslandsOptions,
) {
  const listed = new ListedIslands(clock)
  const relayed = new RelayedIslands(known)
  const events = new Topic<[event: IslandEvent]>()
  const carried = new CarriedIslands({ listed, changes: messages, clock })
  const chart = new IslandChart(listed, clock)
  const publisher = createIslandPublisher({
    known,
    listed,
    relayed,
    messages: messages.of('island', (key) => {
      const card = listed.card(key)
      return card && Buffer.from(JSON.stringify(card))
    }),
    withdraw: () => carried.withdraw(),
  })
  for await (const page of store.loadAll()) {
    for (const island of page) publisher.load(island)
  }
  const unread = takeOverIslands({ store, publisher })
  const whenTakenOver = () => unread.runFailed()

  const { tellChanged, tellUntold } = publishChangedIslands({
    known,
    events,
    takeOver: (keys) => unread.add(...keys),
  })
  /** Publishes changes. What can't be read now is published once it can. */
  const tellSoon = async (keys: readonly number[]) => {
    if (keys.length === 0) return
    await tellChanged(keys).catch((error: unknown) => {
      if (!(error instanceof StorageUnavailable)) log.error({ err: error }, 'islands were not read')
    })
  }
  schedule.every(retryMs, 'islands were not read', () => tellUntold())

  schedule.every(closeMs, 'pauses of islands did not end', async () => {
    await tellSoon(known.takeEndedPauses())
  })

  // What is still on its way into memory is not published yet.
  cluster.holdCursorsWhile(() => !unread.isIdle)
  const tellOpenings = (islandKeys: readonly number[]) => {
    publisher.logOpenings(islandKeys)
    for (const islandKey of islandKeys) {
      const found = known.find(islandKey)
      if (found === undefined) continue
      const { isOpen, since } = presentOpening(found.opening)
      events.publish({ kind: 'open', islandKey, id: found.id, isOpen, since })
    }
  }
  const logRelayOpenings = (openings: readonly RelayOpeningOf[]) => {
    const changed = openings.filter(({ islandKey, isOpen, sinceMs }) =>
      known.noteRelayOpening(islandKey, { isOpen, sinceMs }),
    )
    tellOpenings(changed.map(({ islandKey }) => islandKey))
  }
  const openings = new RelayOpenings({
    store: relayOpenings,
    known,
    clock,
    leads: () => cluster.leads(),
    tell: logRelayOpenings,
    noteFailure: (error) => {
      if (!(error instanceof StorageUnavailable)) {
        log.error({ err: error }, 'openings of relayed islands were not recorded')
      }
    },
  })
  schedule.every(closeMs, 'islands were not closed', async () => openings.closeLeft())
  schedule.atEnd(() => openings.settled())
  events.subscribe(({ kind, islandKey }) => {
    if (kind === 'changed' || kind === 'gone') openings.look([islandKey])
  })

  changes.subscribe('islands', ({ keys }) => tellSoon(keys))
  cluster.onRow('relay-openings', ({ keys, details }) => {
    logRelayOpenings(v.parse(Openings, details))
    openings.look(keys)
  })
  for (const [topic, kind] of [
    ['island-log', 'log'],
    ['island-members', 'members'],
    ['island-requests', 'requests'],
  ] as const) {
    changes.subscribe(topic, ({ keys, details }) => {
      const people = v.parse(People, details ?? [])
      for (const islandKey of keys) {
        const id = known.find(islandKey)?.id
        const userKeys = people.filter(([key]) => key === islandKey).map(([, user]) => user)
        if (id !== undefined) events.publish({ kind, islandKey, id, userKeys })
      }
    })
  }
  cluster.onLead((rows) => {
    publisher.beginToTell()
    for (const row of rows) tellRowAgain(row)
    openings.begin(relayed.keys())
  })
  function tellRowAgain({ topic, keys, details }: Change): void {
    if (topic === 'islands') {
      const removed = v.parse(RemovedIds, details ?? {})
      for (const key of keys) publisher.tellAgain(key, removed[key])
    } else if (topic === 'relay-openings') {
      for (const key of keys) publisher.tellAgain(key)
    } else if (topic === 'devices' || topic === 'heartbeats' || topic === 'offline') {
      for (const deviceKey of keys) {
        for (const key of known.carriedBy(deviceKey)) publisher.tellAgain(key)
      }
    }
  }

  return {
    listen: events.subscribe,
    relayed: {
      find: (islandKey: number) => relayed.find(islandKey),
      findBySlug: (slug: string) => relayed.findBySlug(slug),
      /** Includes the host's latest changes; undefined if the user does not host it. */
      findHosted: async (hostKey: number, id: string) => {
        await whenTakenOver()
        return relayed.findHosted(hostKey, id)
      },
      /** The islands that a device carries, in no order. */
      carriedBy: (deviceKey: number) =>
        known.carriedBy(deviceKey).flatMap((islandKey) => relayed.find(islandKey) ?? []),
      /** Calls the listener with each island that may have changed or is gone. */
      onChange: (listener: (islandKey: number) => void) =>
        events.subscribe(({ kind, islandKey }) => {
          if (kind === 'changed' || kind === 'gone') listener(islandKey)
        }),
      /** Calls the listener with each island whose members or blocks may have changed. */
      onPeopleChange: (listener: (islandKey: number) => void) =>
        events.subscribe(({ kind, islandKey }) => {
          if (kind === 'members') listener(islandKey)
        }),
    },
    /** Slugs of listed islands, newest first, in parts between other work. */
    listSlugs: async function* (limit: number) {
      await whenTakenOver()
      for (const slugs of listed.slugs(limit)) {
        yield slugs
        await otherWork()
      }
    },
    /** Whether anybody who may enter it can do so now. */
    isOpen: (islandKey: number) => known.find(islandKey)?.opening.isOpen === true,
    /** The island's host; null if that is the installation. */
    hostOf: (islandKey: number) => known.find(islandKey)?.hostKey ?? null,
    /** Call it with devices that flipped together. */
    noteFlips: (deviceKeys: readonly number[], status: 'online' | 'offline') => {
      tellOpenings(known.noteFlips(deviceKeys, status, clock()))
    },
    /** From now on, relayed islands are open while agents carry them. */
    openWhileCarried: (carriage: Carriage) => {
      openings.follow(carriage)
      openings.begin(relayed.keys())
    },
    /** Call it when a device was changed or deleted. The public may then see less of it. */
    noteDevice: (deviceKey: number) => void tellSoon(known.carriedBy(deviceKey)),
    routes: (app: FastifyInstance, { serve }: { readonly serve: Serve }) =>
      directoryRoutes(app, { serve, listed, carried, chart, whenTakenOver }),
  }
}
