import { expect, test } from 'vitest'
import type { IslandFacts, PublicIslandsStore } from './public-islands-store.ts'

export interface PublicIslandsStoreHarness {
  readonly store: PublicIslandsStore
  /** Its host is called `nova`. The device is public by default. */
  readonly insertIsland: (island?: {
    readonly address?: string | null
    readonly isRelayed?: boolean
    readonly hasCarrier?: boolean
    readonly isCarrierHidden?: boolean
    readonly neighbourKeys?: readonly number[]
  }) => Promise<{ readonly key: number; readonly carrierKey: number | null }>
  readonly nameHost: (islandKey: number, name: string) => Promise<void>
  readonly noteFlip: (
    deviceKey: number,
    status: 'online' | 'offline',
    atMs: number,
  ) => Promise<void>
}

/** What every store of islands for memory must do, on any database. */
export function publicIslandsStoreContract(open: () => Promise<PublicIslandsStoreHarness>): void {
  test('an island comes with its host, its neighbours in order, and whether it has an address', async () => {
    const harness = await open()
    const [first, second] = [await harness.insertIsland(), await harness.insertIsland()]
    const { key } = await harness.insertIsland({
      address: null,
      neighbourKeys: [second.key, first.key],
    })
    expect(await readOne(harness, key)).toMatchObject({
      key,
      hostName: 'nova',
      hasAddress: false,
      carrier: null,
      neighbourKeys: [second.key, first.key],
    })
    await harness.nameHost(first.key, 'Nova Sky')
    expect(await readOne(harness, first.key)).toMatchObject({
      hostName: 'Nova Sky',
      hasAddress: true,
      neighbourKeys: [],
    })
  })

  test('a relayed island has an address if a device carries it', async () => {
    const harness = await open()
    const relayed = { address: null, isRelayed: true }
    const carried = await harness.insertIsland({ ...relayed, hasCarrier: true })
    const { key } = await harness.insertIsland(relayed)
    expect(await readOne(harness, carried.key)).toMatchObject({ isRelayed: true, hasAddress: true })
    expect(await readOne(harness, key)).toMatchObject({ isRelayed: true, hasAddress: false })
  })

  test('a carrier comes with its last flip, and whether everybody may see it', async () => {
    const harness = await open()
    const { key, carrierKey } = await harness.insertIsland({ hasCarrier: true })
    expect(await readOne(harness, key)).toMatchObject({
      carrier: { key: carrierKey, isPublic: true, flip: null },
    })
    await harness.noteFlip(carrierKey ?? 0, 'online', 1000)
    await harness.noteFlip(carrierKey ?? 0, 'offline', 2000)
    expect(await readOne(harness, key)).toMatchObject({
      carrier: { flip: { status: 'offline', atMs: 2000 } },
    })
    const hidden = await harness.insertIsland({ hasCarrier: true, isCarrierHidden: true })
    expect(await readOne(harness, hidden.key)).toMatchObject({ carrier: { isPublic: false } })
  })

  test('all islands are loaded by key, and deleted ones are not read', async () => {
    const harness = await open()
    const keys = [await harness.insertIsland(), await harness.insertIsland()].map(({ key }) => key)
    const loaded: IslandFacts[] = []
    for await (const page of harness.store.loadAll()) loaded.push(...page)
    expect(loaded.map(({ key }) => key)).toEqual(keys)
    const read = await harness.store.read([...keys, 4040])
    expect(read.map(({ key }) => key).toSorted((a, b) => a - b)).toEqual(keys)
  })
}

async function readOne({ store }: PublicIslandsStoreHarness, key: number): Promise<IslandFacts> {
  const [island] = await store.read([key])
  if (island === undefined) throw new Error('no island')
  return island
}
