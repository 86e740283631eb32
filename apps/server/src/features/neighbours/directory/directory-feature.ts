import { readSequence } from '@astropelago/contract/feed'
import {
  directoryPath,
  followDirectory,
  readInstallation,
  type AboutInstallation,
} from '@astropelago/contract/neighbour-directory'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../../config.ts'
import { DomainError } from '../../../domain-error.ts'
import type { FeatureBase } from '../../../feature-base.ts'
import { openEventStream } from '../../../http/event-stream.ts'
import { addressKey, type RateLimits } from '../../../http/rate-limits.ts'
import type { Serve } from '../../../http/serve-route.ts'
import { StreamSlots } from '../../../http/stream-slots.ts'
import { createOutgoing, hostNamesOf } from '../../../outgoing/outgoing.ts'
import { PacedAnswer } from '../../../paced-answer.ts'
import type { PublicMessages } from '../../../public-messages.ts'
import { version } from '../../../version.ts'
import type { DevicesFeature } from '../../devices/public.ts'
import type { Feed } from '../../feed/public.ts'
import type { IslandsFeature } from '../../islands/public.ts'
import { openInstallation } from '../installation.ts'
import { aboutReader } from '../read-about.ts'
import { sqlInstallationStore } from '../sql-installation-store.ts'
import { directoryStream } from './directory-stream.ts'
import { followRequests, type FollowerIdentity } from './follow-requests.ts'
import { followers } from './followers.ts'
import { sharedSubjects } from './shared-subjects.ts'
import { sqlFollowersStore } from './sql-followers-store.ts'

const streamsMax = 64
const streamsPerAddress = 4
/** How soon another server's change of the key, or of who leads, is known here. */
const speakMs = 5000
const aboutMaxAgeS = 5

export type DirectoryFeature = Awaited<ReturnType<typeof directoryFeature>>

interface DirectoryFeatureOptions {
  readonly config: Pick<
    Config,
    'publicUrl' | 'siteName' | 'relayDomain' | 'instanceUrl' | 'allowsPrivateTargets'
  >
  readonly feed: Feed
  readonly reach: (sequence: string) => Promise<void>
  readonly messages: PublicMessages
  readonly devices: Pick<DevicesFeature, 'shared'>
  readonly islands: Pick<IslandsFeature, 'shared'>
  readonly isBlocked: (address: string) => boolean
}

interface DirectoryRoutesParts {
  readonly serve: Serve
  readonly limits: Pick<RateLimits, 'isExempt'>
}

/** What this installation says of itself to others, and gives to those that follow it. */
export async function directoryFeature(
  { storage, cluster, clock, log, schedule }: FeatureBase,
  { config, feed, reach, messages, devices, islands, isBlocked }: DirectoryFeatureOptions,
) {
  const address = new URL(config.publicUrl).origin
  const identity = await openInstallation(sqlInstallationStore(storage), { address, clock })
  const subjects = sharedSubjects({ devices: devices.shared, islands: islands.shared })
  const stream = directoryStream({ address, feed, messages, subjects, clock })
  const connected = new Map<symbol, FollowerIdentity>()
  const outgoing = createOutgoing({
    clock,
    ownHosts: hostNamesOf(config),
    allowsPrivate: config.allowsPrivateTargets,
  })
  const readAbout = aboutReader(outgoing, clock)
  const known = followers({
    store: sqlFollowersStore(storage),
    readAbout,
    clock,
    schedule,
    connected: () => connected.values(),
  })
  const readFollower = followRequests({ address, clock })
  const slots = new StreamSlots({ max: streamsMax, perAddress: streamsPerAddress })

  /** Another server may have given what this one, as it started, no longer found shared. */
  let firstNumber = cluster.writer === undefined ? 0 : Number.POSITIVE_INFINITY
  const speak = async () => {
    const feedEpoch = readSequence(feed.sequence)?.epoch
    if (cluster.leads() && feedEpoch !== undefined) await identity.ensureEpoch(feedEpoch)
    stream.speak(await identity.read())
  }
  await speak()
  cluster.onLead(() =>
    speak().catch((error: unknown) => log.error({ err: error }, 'no epoch of the directory began')),
  )
  schedule.every(speakMs, 'the key of this installation was not read', async () => {
    firstNumber = Math.min(firstNumber, feed.lastNumber)
    await speak()
  })

  const about = new PacedAnswer({
    make: async () => {
      const as = stream.speaking()
      if (as === undefined) throw new DomainError('overloaded')
      const { islandCount, deviceCount } = subjects.count()
      const body: AboutInstallation = {
        name: config.siteName,
        software: `Astropelago ${version}`,
        key: as.signer.key,
        keyNumber: as.keyNumber,
        keyChanges: [...as.keyChanges],
        directory: directoryPath,
        islands: islandCount,
        devices: deviceCount,
      }
      return stream.about(JSON.stringify(body), as)
    },
    clock,
  })

  return {
    listFollowers: known.list,
    /** For calls to other installations. */
    outgoing,
    readAbout,
    /** Of what it shares. */
    counts: subjects.count,
    installation: {
      address,
      read: identity.read,
      changeKey: async () => {
        const changed = await identity.changeKey()
        about.forget()
        await speak()
        return changed
      },
    },
    routes: async (app: FastifyInstance, { serve, limits }: DirectoryRoutesParts) => {
      serve(app, readInstallation, async ({ reply }) => {
        const body = await about.get()
        reply.header('cache-control', `public, max-age=${aboutMaxAgeS}`)
        return { status: 200, body }
      })

      serve(app, followDirectory, async ({ query: { after = '' }, request, reply }) => {
        const follower = readFollower(request.headers.authorization)
        if (isBlocked(follower.address)) throw new DomainError('follower_blocked')
        const release = slots.take(addressKey(request), { isExempt: limits.isExempt(request) })
        reply.raw.once('close', release)
        if (request.raw.socket.closed) release()
        const sequence = stream.sequenceOf(after)
        if (sequence !== undefined) await reach(sequence)
        const isKnown =
          sequence !== undefined &&
          feed.knows(sequence) &&
          (readSequence(sequence)?.number ?? 0) >= firstNumber
        const from = isKnown ? sequence : await stream.snapshot()
        await known.note(follower)
        if (stream.speaking() === undefined) throw new DomainError('overloaded')
        const opened = openEventStream(reply)
        if (reply.raw.closed) return undefined
        const id = Symbol(follower.address)
        connected.set(id, follower)
        const leave = stream.listen(opened, from)
        reply.raw.once('close', () => {
          connected.delete(id)
          leave()
        })
        return undefined
      })
    },
  }
}
