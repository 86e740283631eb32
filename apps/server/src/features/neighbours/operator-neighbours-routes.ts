import { randomUUID } from 'node:crypto'
import type { FieldErrors } from '@astropelago/contract/error-body'
import type { AboutInstallation } from '@astropelago/contract/neighbour-directory'
import {
  changeInstallationKey,
  changeNeighbour,
  followNeighbour,
  forgetNeighbour,
  hideNeighbourSubject,
  listOperatorNeighbours,
  previewNeighbour,
  showNeighbourSubject,
  type OperatorNeighbour,
} from '@astropelago/contract/operator-neighbours'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../../clock.ts'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import { isoTime } from '../../iso-time.ts'
import type { DirectoryFeature } from './directory/directory-feature.ts'
import type { Following } from './following/following.ts'
import type {
  NeighbourRecord,
  NeighboursStore,
  NeighbourSubject,
} from './following/neighbours-store.ts'
import { addressOf, InstallationUnreachable } from './read-about.ts'
import { StatementRefused } from './statements.ts'

export interface OperatorNeighboursParts {
  readonly serve: Serve
  readonly store: NeighboursStore
  readonly following: Following
  readonly readExamples: (address: string, about: AboutInstallation) => Promise<readonly string[]>
  readonly directory: DirectoryFeature
  /** Ours. */
  readonly address: string
  readonly clock: Clock
  readonly limitPreviews: () => void
}

export async function operatorNeighboursRoutes(
  app: FastifyInstance,
  parts: OperatorNeighboursParts,
) {
  const { serve, store, following, directory, address: own, clock } = parts
  const { installation, readAbout } = directory

  const present = async (records: readonly NeighbourRecord[]): Promise<OperatorNeighbour[]> => {
    const [counts, hidden] = [await store.countAll(), await store.listHidden()]
    return records.map((record) => {
      const { key, id, name, address, colour, state, note, keyNumber, unknownKey } = record
      return {
        id,
        name,
        address,
        colour,
        islandCount: counts.get(key)?.islands ?? 0,
        deviceCount: counts.get(key)?.devices ?? 0,
        state,
        note,
        isConnected: following.isConnected(key),
        contactAt: isoTime(record.contactMs),
        addedAt: isoTime(record.addedMs),
        keyNumber,
        unknownKey,
        hidden: [...(hidden.get(key) ?? [])],
      }
    })
  }
  const find = async (id: string): Promise<NeighbourRecord> => {
    const found = (await store.list()).find((one) => one.id === id)
    if (found === undefined) throw new DomainError('not_found')
    return found
  }
  const presentOne = async (id: string): Promise<OperatorNeighbour> => {
    const [one] = await present([await find(id)])
    if (one === undefined) throw new DomainError('not_found')
    return one
  }
  const setHidden = async (id: string, subject: NeighbourSubject, isHidden: boolean) => {
    const isDone = await store.setHidden((await find(id)).key, subject, isHidden)
    if (!isDone) throw new DomainError('not_found')
  }
  /** Who answers at an address. @throws DomainError with why it can't be followed */
  const meet = async (typed: string) => {
    const address = addressOf(typed)
    if (address === undefined) {
      throw refused({
        address: 'This is no address of the web. One is such as https://sky.example',
      })
    }
    try {
      const about = await readAbout(address)
      const { signer } = await installation.read()
      if (address === own || about.key === signer.key) {
        throw refused({ address: 'This is this installation itself.' })
      }
      return { address, about }
    } catch (error) {
      if (error instanceof InstallationUnreachable || error instanceof StatementRefused) {
        throw refused({ address: error.message })
      }
      throw error
    }
  }

  serve(app, listOperatorNeighbours, async () => {
    const { signer, keyNumber } = await installation.read()
    const { islandCount, deviceCount } = directory.counts()
    return {
      status: 200,
      body: {
        neighbours: await present(await store.list()),
        followers: await directory.listFollowers(),
        own: { address: own, key: signer.key, keyNumber, islandCount, deviceCount },
      },
    }
  })

  serve(
    app,
    previewNeighbour,
    async ({ body }) => {
      parts.limitPreviews()
      const { address, about } = await meet(body.address)
      const { name, software, key, islands: islandCount, devices: deviceCount } = about
      const examples = [...(await parts.readExamples(address, about))]
      return {
        status: 200,
        body: { address, name, software, key, islandCount, deviceCount, examples },
      }
    },
    {
      audit: ({ body }) => ({ action: 'neighbour.previewed', details: { address: body.address } }),
    },
  )

  serve(
    app,
    followNeighbour,
    async ({ body }) => {
      const { address, about } = await meet(body.address)
      if (about.key !== body.key) {
        throw refused({ address: 'Somebody else answers there now. Look again before you follow.' })
      }
      const added = await store.insert({
        id: randomUUID(),
        address,
        name: about.name,
        publicKey: about.key,
        keyNumber: about.keyNumber,
        addedMs: clock(),
      })
      if (added === 'known') throw refused({ address: 'This installation is in the list already.' })
      if (added === 'neighbour_limit') throw new DomainError('neighbour_limit')
      return { status: 201, body: await presentOne(added.id) }
    },
    { audit: ({ body }) => ({ action: 'neighbour.followed', details: { address: body.address } }) },
  )

  serve(
    app,
    changeNeighbour,
    async ({ params, body: { state, key } }) => {
      const neighbour = await find(params.id)
      if (key !== undefined) {
        if (key !== neighbour.unknownKey) throw refused({ key: 'It does not have this key.' })
        const about = await meet(neighbour.address).then((met) => met.about)
        if (about.key !== key) throw refused({ key: 'It has yet another key now.' })
        await store.update(neighbour.key, { publicKey: key, keyNumber: about.keyNumber })
      }
      if (state === 'following') await store.resume(neighbour.key)
      else if (state !== undefined) {
        const note = state === 'held' ? 'An operator put it on hold.' : null
        await store.update(neighbour.key, { state, note })
      }
      return { status: 200, body: await presentOne(params.id) }
    },
    {
      audit: ({ params, body }) => ({
        action: 'neighbour.changed',
        subject: `neighbour:${params.id}`,
        details: { state: body.state ?? null, key: body.key ?? null },
      }),
    },
  )

  serve(
    app,
    forgetNeighbour,
    async ({ params }) => {
      const { key } = await find(params.id)
      // What it sends meanwhile must not come after the deletion.
      await store.update(key, { state: 'held', note: 'It is being forgotten.' })
      await store.delete(key)
      return { status: 204 }
    },
    {
      audit: ({ params }) => ({ action: 'neighbour.forgotten', subject: `neighbour:${params.id}` }),
    },
  )

  serve(
    app,
    hideNeighbourSubject,
    async ({ params, body }) => {
      await setHidden(params.id, body, true)
      return { status: 204 }
    },
    {
      audit: ({ params, body }) => ({
        action: 'neighbour.subject-hidden',
        subject: `neighbour:${params.id}`,
        details: body,
      }),
    },
  )

  serve(
    app,
    showNeighbourSubject,
    async ({ params, body }) => {
      await setHidden(params.id, body, false)
      return { status: 204 }
    },
    {
      audit: ({ params, body }) => ({
        action: 'neighbour.subject-shown',
        subject: `neighbour:${params.id}`,
        details: body,
      }),
    },
  )

  serve(
    app,
    changeInstallationKey,
    async () => {
      const { signer, keyNumber } = await installation.changeKey()
      return { status: 200, body: { key: signer.key, keyNumber } }
    },
    { audit: () => ({ action: 'installation.key-changed' }) },
  )
}

function refused(fields: FieldErrors): DomainError {
  return new DomainError('invalid_neighbour', { fields })
}
