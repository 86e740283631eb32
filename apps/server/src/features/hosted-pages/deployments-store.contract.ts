import { createHash, randomUUID } from 'node:crypto'
import type { Suspicion } from '@astropelago/contract/hosted-pages'
import { describe, expect, test } from 'vitest'
import { TotalReached } from '../../storage/storage-error.ts'
import {
  chunkBytes,
  type Content,
  type DeployedFile,
  type DeploymentsStore,
  type NewDeployment,
} from './deployments-store.ts'

export interface DeploymentsStoreHarness {
  readonly store: DeploymentsStore
  readonly insertIsland: (details: { readonly isListed: boolean }) => Promise<{
    readonly key: number
    readonly slug: string
  }>
  readonly deleteIsland: (key: number) => Promise<void>
  /** How many chunks are stored for an island. */
  readonly countChunks: (islandKey: number) => Promise<number>
  /** The islands whose change was published since the last call. */
  readonly takeChanged: () => readonly number[]
}

const manyBytes = 1_000_000_000
const options = { atMs: 5, kept: 2, isTrusted: false }

function fileOf(path: string, text: string, suspicion: Suspicion | null = null) {
  const hash = new Uint8Array(createHash('sha256').update(text).digest())
  const blocked = [
    { path, line: 1, address: 'https://elsewhere.example/', what: 'script' as const },
  ]
  return { path, hash, bytes: text.length, gzipBytes: null, blocked, suspicion }
}

/** What every store of deployments must do, on any database. */
export function deploymentsStoreContract(open: () => Promise<DeploymentsStoreHarness>): void {
  async function setUp({ isListed = false } = {}) {
    const harness = await open()
    const { store } = harness
    const island = await harness.insertIsland({ isListed })
    const islandKey = island.key
    const begin = async (
      files: readonly DeployedFile[],
      details: Partial<NewDeployment> = {},
      limits: Partial<Parameters<DeploymentsStore['begin']>[1]> = {},
    ) => {
      const id = randomUUID()
      const deployment = { id, islandKey, source: 'upload', atMs: 5, files, ...details } as const
      const begun = await store.begin(deployment, {
        totalBytes: manyBytes,
        hostBytes: manyBytes,
        ...limits,
      })
      if (begun === undefined) throw new Error('its host has too much')
      return { id, ...begun }
    }
    const write = (content: Content, text: string) =>
      store.writeChunk(content, 0, Buffer.from(text))
    const publish = async (files: readonly DeployedFile[], changes = {}) => {
      const { id, key } = await begin(files)
      const outcome = await store.publish(key, { ...options, ...changes })
      return { id, key, outcome }
    }
    const live = async () => (await store.list(islandKey)).find(({ isLive }) => isLive)?.id
    return { ...harness, island, islandKey, begin, write, publish, live }
  }

  const index = fileOf('index.html', '<h1>Hello</h1>')

  test('S67 a deployment is not there until it is published, and then all of it at once', async () => {
    const { store, islandKey, begin, live, takeChanged } = await setUp()
    const { id, key } = await begin([index, fileOf('a/b.txt', 'text')])
    expect(await store.list(islandKey)).toEqual([])
    takeChanged()
    expect(await store.publish(key, options)).toBe('live')
    expect(takeChanged()).toEqual([islandKey])
    expect(await live()).toBe(id)
    expect((await store.listFiles(key)).map(({ path }) => path)).toEqual(['a/b.txt', 'index.html'])
    expect((await store.listFiles(key))[1]).toEqual(index)
  })

  test('lists what its first files’ visitors can’t load', async () => {
    const { store, begin } = await setUp()
    const { key } = await begin([
      { ...fileOf('a.html', ''), blocked: [] },
      fileOf('b.html', 'b'),
      fileOf('c.html', 'c'),
      fileOf('d.html', 'd'),
    ])
    const listed = await store.listBlocked(key, 2)
    expect(listed.map(({ path }) => path)).toEqual(['b.html', 'c.html'])
  })

  test('the newest stay, and the live one however old it is', async () => {
    const { store, islandKey, publish } = await setUp()
    const ids: string[] = []
    for (const text of ['1', '2', '3']) ids.push((await publish([fileOf('index.html', text)])).id)
    const [, second = '', third = ''] = ids
    const kept = async () => (await store.list(islandKey)).map(({ id }) => id)
    expect(await kept()).toEqual([third, second])
    expect(await store.setLive(islandKey, second, 20)).toBe(true)
    const fourth = (await publish([fileOf('index.html', '4')])).id
    expect(await kept()).toEqual([fourth, third])
  })

  test('one of the last can be brought back, and nobody else’s', async () => {
    const { store, islandKey, publish, live, insertIsland } = await setUp()
    const first = await publish([index])
    await publish([fileOf('index.html', 'newer')])
    const other = await insertIsland({ isListed: false })
    expect(await store.setLive(other.key, first.id, 20)).toBe(false)
    expect(await store.setLive(islandKey, first.id, 20)).toBe(true)
    expect(await live()).toBe(first.id)
    expect((await store.list(islandKey)).filter(({ isLive }) => isLive)).toHaveLength(1)
  })

  describe('contents', () => {
    test('are stored once for an island, and again for another one', async () => {
      const { islandKey, begin, write, countChunks, insertIsland, store } = await setUp()
      const content = { islandKey, hash: index.hash, isGzip: false }
      const first = await begin([index])
      expect(first.isStored(content)).toBe(false)
      await write(content, '<h1>Hello</h1>')
      await store.publish(first.key, options)
      expect((await begin([index])).isStored(content)).toBe(true)
      const other = await insertIsland({ isListed: false })
      const elsewhere = await begin([index], { islandKey: other.key })
      expect(elsewhere.isStored({ ...content, islandKey: other.key })).toBe(false)
      await write({ ...content, islandKey: other.key }, '<h1>Hello</h1>')
      expect(await countChunks(islandKey)).toBe(1)
      expect(await countChunks(other.key)).toBe(1)
    })

    test('that another version of zlib compressed are not mixed with new ones', async () => {
      const { islandKey, begin, write, store } = await setUp()
      const style = { ...fileOf('style.css', 'a { }'), gzipBytes: 4 }
      const { key } = await begin([style])
      await write({ islandKey, hash: style.hash, isGzip: true }, 'gzip')
      await store.publish(key, options)
      const gzipBytesOf = async (file: DeployedFile) => {
        const again = await begin([file])
        return (await store.listFiles(again.key)).map(({ gzipBytes }) => gzipBytes)
      }
      expect(await gzipBytesOf(style)).toEqual([4])
      expect(await gzipBytesOf({ ...style, gzipBytes: 3 })).toEqual([null])
    })

    test('that were only half written are written again', async () => {
      const { islandKey, begin, store } = await setUp()
      const large = fileOf('large.bin', 'x'.repeat(chunkBytes + 1))
      const content = { islandKey, hash: large.hash, isGzip: false }
      const first = await begin([large])
      await store.writeChunk(content, 0, Buffer.alloc(chunkBytes))
      await store.abandon(first.key)
      expect((await begin([large])).isStored(content)).toBe(false)
      await store.writeChunk(content, 0, Buffer.alloc(chunkBytes, 'x'))
      await store.writeChunk(content, 1, Buffer.from('x'))
      expect((await begin([large])).isStored(content)).toBe(true)
    })

    test('are deleted once no deployment has them, not even one under way', async () => {
      const { store, islandKey, begin, write, countChunks } = await setUp()
      const content = { islandKey, hash: index.hash, isGzip: false }
      const { key } = await begin([index])
      await write(content, '<h1>Hello</h1>')
      await deleteAllUnused(store)
      expect(await countChunks(islandKey)).toBe(1)
      await store.abandon(key)
      await deleteAllUnused(store)
      expect(await countChunks(islandKey)).toBe(0)
    })

    test('go with their island, in steps', async () => {
      const { store, islandKey, begin, write, countChunks, deleteIsland } = await setUp()
      const { key } = await begin([index])
      for (const isGzip of [false, true]) await write({ islandKey, hash: index.hash, isGzip }, 'x')
      await store.publish(key, options)
      await deleteIsland(islandKey)
      expect(await countChunks(islandKey)).toBe(2)
      await deleteAllUnused(store)
      expect(await countChunks(islandKey)).toBe(0)
    })

    test('are read in chunks', async () => {
      const { store, islandKey, begin } = await setUp()
      await begin([index])
      const content = { islandKey, hash: index.hash, isGzip: false }
      await store.writeChunk(content, 1, Buffer.from('second'))
      expect(await store.readChunk(content, 0)).toBeUndefined()
      expect(Buffer.from((await store.readChunk(content, 1)) ?? []).toString()).toBe('second')
    })
  })

  test('S52 all deployments together never exceed the total, even under simultaneous calls', async () => {
    const { store, begin } = await setUp()
    const file = fileOf('index.html', 'x'.repeat(100))
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => begin([file], {}, { totalBytes: 250 })),
    )
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [outcome.reason as unknown] : [],
    )
    expect(refused).toHaveLength(3)
    for (const reason of refused) expect(reason).toBeInstanceOf(TotalReached)
    expect(await store.totalBytes()).toBe(200)
  })

  test('S52 all pages of a host never exceed the host’s share, even under simultaneous calls', async () => {
    const { begin, insertIsland } = await setUp()
    const file = fileOf('index.html', 'x'.repeat(100))
    const limits = { hostBytes: 250 }
    const outcomes = await Promise.allSettled(
      Array.from({ length: 5 }, () => begin([file], {}, limits)),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const other = await insertIsland({ isListed: false })
    await begin([file], { islandKey: other.key }, limits)
  })

  test('a draft replaces the one before, and is no deployment', async () => {
    const { store, islandKey, begin, live } = await setUp()
    for (const text of ['1', '2']) {
      await store.becomeDraft((await begin([fileOf('index.html', text)])).key)
    }
    const [draft, ...others] = await store.list(islandKey)
    expect(others).toEqual([])
    expect(draft).toMatchObject({ state: 'draft', isLive: false })
    expect(await live()).toBeUndefined()
    await store.removeDraft(islandKey)
    expect(await store.list(islandKey)).toEqual([])
  })

  describe('a suspicious deployment', () => {
    const suspicious = fileOf('index.html', '<input type=password>', 'password')

    test('of a listed island waits until an operator passes it', async () => {
      const { store, islandKey, island, publish, live } = await setUp({ isListed: true })
      const first = await publish([index])
      const second = await publish([suspicious])
      expect(second.outcome).toBe('waits')
      expect(await live()).toBe(first.id)
      expect(await store.setLive(islandKey, second.id, 20)).toBe(false)
      expect(await store.listInReview(10)).toMatchObject([
        { deploymentId: second.id, suspicion: 'password', slug: island.slug, isListed: true },
      ])
      expect(await store.pass(second.id, 20)).toBe(true)
      expect(await live()).toBe(second.id)
      expect(await store.listInReview(10)).toEqual([])
      expect(await store.pass(second.id, 30)).toBe(false)
    })

    test('of any other island is live at once, and still in review', async () => {
      const { store, publish, live } = await setUp()
      const { id, outcome } = await publish([suspicious])
      expect(outcome).toBe('live')
      expect(await live()).toBe(id)
      expect(await store.listInReview(10)).toHaveLength(1)
    })

    test('of a trusted host is not looked at', async () => {
      const { store, publish } = await setUp({ isListed: true })
      expect((await publish([suspicious], { isTrusted: true })).outcome).toBe('live')
      expect(await store.listInReview(10)).toEqual([])
    })

    test('that is no longer the newest does not replace it when it is passed', async () => {
      const { store, publish, live } = await setUp({ isListed: true })
      const { id } = await publish([suspicious])
      const newer = await publish([index])
      expect(await store.pass(id, 20)).toBe(true)
      expect(await live()).toBe(newer.id)
    })
  })

  test('a suspicious deployment that its host took back does not go live when it is passed', async () => {
    const { store, islandKey, publish, live } = await setUp({ isListed: true })
    const first = await publish([index])
    const waiting = await publish([fileOf('index.html', '3', 'password')])
    await store.setLive(islandKey, first.id, 30)
    expect(await store.pass(waiting.id, 40)).toBe(true)
    expect(await live()).toBe(first.id)
  })

  test('what a server left behind is deleted later', async () => {
    const { store, islandKey, begin, publish } = await setUp()
    const { key } = await begin([index])
    await publish([fileOf('index.html', 'complete')])
    await store.deleteAbandoned(6)
    expect(await store.listFiles(key)).toEqual([])
    expect(await store.list(islandKey)).toHaveLength(1)
  })

  test('all pages of an island can be removed', async () => {
    const { store, islandKey, publish, begin, takeChanged } = await setUp()
    await publish([index])
    await store.becomeDraft((await begin([index])).key)
    takeChanged()
    await store.removeAll(islandKey)
    expect(await store.list(islandKey)).toEqual([])
    expect(takeChanged()).toEqual([islandKey])
  })
}

async function deleteAllUnused({ deleteUnused }: Pick<DeploymentsStore, 'deleteUnused'>) {
  while ((await deleteUnused(1)) > 0);
}
