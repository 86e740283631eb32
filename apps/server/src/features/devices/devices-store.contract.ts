import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { DeviceImport, DeviceImportsStore } from './csv/import-devices.ts'
import type { DeviceTokensStore, NewDeviceToken } from './device-tokens-store.ts'
import type { DeviceRecord, DevicesStore, NewDevice } from './devices-store.ts'
import type { OperatorDevicesStore } from './operator/operator-devices-store.ts'

type Stores = DevicesStore &
  DeviceTokensStore &
  DeviceImportsStore &
  Pick<OperatorDevicesStore, 'count'>

export interface DevicesStoreHarness {
  readonly store: Stores
  readonly insertUser: () => Promise<number>
  readonly nameUser: (
    userKey: number,
    user: {
      readonly username: string
      readonly name: string | null
      readonly isNamePublic: boolean
    },
  ) => Promise<void>
  readonly disableUser: (userKey: number, disabledMs: number | null) => Promise<void>
  readonly noteHeartbeat: (deviceKey: number, atMs: number) => Promise<void>
  /** How many presence rows a device has. */
  readonly countPresence: (deviceKey: number) => Promise<number>
}

const daily = { kind: 'period', periodS: 86_400, graceS: 3600 } as const
const byCron = {
  kind: 'cron',
  expression: '30 4 * * mon-fri',
  timeZone: 'Europe/Berlin',
  graceS: 0,
} as const

/** What the stores of devices must do together, on any database. */
export function devicesStoreContract(open: () => Promise<DevicesStoreHarness>): void {
  async function setUp() {
    const harness = await open()
    const { store, insertUser } = harness
    const [owner, stranger] = [await insertUser(), await insertUser()]
    const insert = async (details: Partial<NewDevice> = {}) =>
      inserted(await store.insert(newDevice({ userKey: owner, ...details }), 100))
    const insertToken = (deviceKey: number, details: Partial<NewDeviceToken> = {}) =>
      store.insertToken(newToken({ deviceKey, ...details }), 10)
    return { ...harness, owner, stranger, insert, insertToken }
  }

  describe('an import', () => {
    test('creates devices with their tokens and changes only the fields that it names', async () => {
      const { store, owner, insert } = await setUp()
      const [moved, hidden, rare, often] = [
        await insert({ link: 'https://sky.example/', schedule: daily }),
        await insert({ visibility: 'public', label: 'Roof' }),
        await insert({ schedule: daily }),
        await insert({ schedule: daily }),
      ]
      const created = [
        newDevice({ userKey: owner, label: `👩‍🚀 "a",b'; --`, lat: -90, lon: 1e-7 }),
        newDevice({ userKey: owner, link: 'https://x.example/', visibility: 'private' }),
        newDevice({ userKey: owner, schedule: byCron, isShared: true }),
      ]
      const tokenHash = randomBytes(32)
      const outcome = await store.importDevices(
        importOf(owner, {
          created,
          updated: [
            { id: moved.id, changes: { lat: 7, link: null, precision: 'km1' } },
            { id: hidden.id, changes: { visibility: 'private', label: 'Cellar' } },
            { id: rare.id, changes: { schedule: null, isShared: true } },
            { id: often.id, changes: { label: 'Often', schedule: byCron } },
          ],
          tokens: [
            {
              id: randomUUID(),
              deviceId: created[1]?.id ?? '',
              tokenHash,
              start: 'apd_x',
              createdMs: 3,
            },
          ],
        }),
        7,
      )
      const own = await store.listOwn(owner)
      expect(own).toEqual([
        { ...moved, lat: 7, link: null, precision: 'km1' },
        { ...hidden, visibility: 'private', publicSinceMs: null, label: 'Cellar' },
        { ...rare, schedule: null, isShared: 1 },
        { ...often, label: 'Often', schedule: JSON.stringify(byCron) },
        ...created.map(({ userKey: _owner, schedule, isShared, ...device }, at) =>
          Object.assign(device, {
            isShared: Number(isShared),
            schedule: schedule && JSON.stringify(schedule),
            publicSinceMs: device.visibility === 'public' ? device.createdMs : null,
            key: own[4 + at]?.key,
            hiddenMs: null,
            hiddenReason: null,
            ownerDisabledMs: null,
          }),
        ),
      ])
      expect(outcome).toEqual(expect.arrayContaining([...own]))
      expect(outcome).toHaveLength(7)
      expect((await store.find(null, moved.id))?.device.publicSinceMs).toBe(moved.createdMs)
      expect((await store.find(owner, hidden.id))?.device.publicSinceMs).toBeNull()
      const found = await store.find(null, created[0]?.id ?? '')
      expect(found?.device.publicSinceMs).toBe(created[0]?.createdMs)
      expect((await store.findToken(tokenHash))?.deviceKey).toBe(own[5]?.key)
    })

    test('S57 leaves a hidden device hidden and returns it as hidden', async () => {
      const { store, owner, insert } = await setUp()
      const { id } = await insert()
      await store.setHidden(id, { atMs: 9, reason: 'Spam' })
      const updated = [{ id, changes: { label: 'Roof' } }]
      const outcome = await store.importDevices(importOf(owner, { updated }), 4)
      expect(outcome).toMatchObject([{ id, label: 'Roof', hiddenMs: 9, hiddenReason: 'Spam' }])
      expect(await store.find(null, id)).toBeUndefined()
    })

    test('past the limit, or with a deleted device or a stranger’s, does nothing', async () => {
      const { store, owner, stranger, insert } = await setUp()
      const device = await insert()
      const strangers = await insert({ userKey: stranger })
      const created = [newDevice({ userKey: owner }), newDevice({ userKey: owner })]
      const changes = { label: 'Mine' }
      expect(await store.importDevices(importOf(owner, { created }), 2)).toBe('limit_reached')
      for (const id of [randomUUID(), strangers.id]) {
        const updated = [
          { id: device.id, changes },
          { id, changes },
        ]
        expect(await store.importDevices(importOf(owner, { created, updated }), 100)).toBe(
          'device_missing',
        )
      }
      expect(await store.listOwn(owner)).toEqual([device])
      expect(await store.listOwn(stranger)).toEqual([strangers])
    })

    test('S52 keeps to the limit under simultaneous calls', async () => {
      const { store, owner } = await setUp()
      const outcomes = await Promise.all(
        Array.from({ length: 4 }, () =>
          store.importDevices(
            importOf(owner, {
              created: [newDevice({ userKey: owner }), newDevice({ userKey: owner })],
            }),
            5,
          ),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === 'limit_reached')).toHaveLength(2)
      expect(await store.listOwn(owner)).toHaveLength(4)
    })
  })

  describe('devices', () => {
    test.each([
      ['plain', { label: 'Pi', lat: 1.5, lon: -2.5, link: 'https://sky.example/' }],
      ['at the bounds', { lat: -90, lon: 180 }],
      ['with digits to keep', { lat: 59.913_868_123_456_7, lon: 1e-7 }],
      ['private', { visibility: 'private' as const }],
      ['of a coarse place', { lat: 1.234_567_8, precision: 'km10' as const }],
      ['S40 with unicode', { label: '👩‍🚀 Ωmega e\u0301' }],
      ['S40 with controls and quotes', { label: `a\u0001b'"; --` }],
      ['S40 of a far time', { createdMs: Number.MAX_SAFE_INTEGER }],
    ])('a device %s is stored as given', async (_, details) => {
      const { store, owner } = await setUp()
      const device = newDevice({ userKey: owner, ...details })
      const record = inserted(await store.insert(device, 100))
      const { userKey: _owner, ...visible } = device
      expect(record).toEqual({
        ...visible,
        isShared: 0,
        key: record.key,
        publicSinceMs: device.visibility === 'public' ? device.createdMs : null,
        ownerDisabledMs: null,
        hiddenMs: null,
        hiddenReason: null,
      })
      expect(await store.findOwn(owner, device.id)).toEqual(record)
      expect(await store.listOwn(owner)).toEqual([record])
    })

    test('only the user’s own devices are listed, oldest first', async () => {
      const { store, owner, stranger, insert } = await setUp()
      const first = await insert({ createdMs: 20 })
      await insert({ userKey: stranger })
      const second = await insert({ createdMs: 10 })
      expect(await store.listOwn(owner)).toEqual([first, second])
      expect(await store.listOwn(404)).toEqual([])
    })

    test('S40 labels may repeat; an id may not, and its case counts', async () => {
      const { store, owner, insert } = await setUp()
      const { id } = await insert({ id: 'abc', label: 'Pi' })
      await insert({ id: 'ABC', label: 'Pi' })
      await expect(insert({ id })).rejects.toThrow(/unique/i)
      expect(await store.listOwn(owner)).toHaveLength(2)
      expect(await store.findOwn(owner, 'aBC')).toBeUndefined()
    })

    test('the limit holds under simultaneous calls, for each user separately', async () => {
      const { store, owner, stranger, insert } = await setUp()
      await insert({ userKey: stranger })
      const results = await Promise.all(
        Array.from({ length: 8 }, () => store.insert(newDevice({ userKey: owner }), 3)),
      )
      expect(results.filter((device) => device !== undefined)).toHaveLength(3)
      expect(await store.listOwn(owner)).toHaveLength(3)
    })

    test('deleting makes room again', async () => {
      const { store, owner, insert } = await setUp()
      const { id } = await insert()
      expect(await store.insert(newDevice({ userKey: owner }), 1)).toBeUndefined()
      await store.delete(owner, id)
      expect(await store.insert(newDevice({ userKey: owner }), 1)).toBeDefined()
    })

    test('are counted over all users', async () => {
      const { store, stranger, insert } = await setUp()
      expect(await store.count()).toBe(0)
      await insert()
      await insert({ userKey: stranger, visibility: 'private' })
      expect(await store.count()).toBe(2)
    })

    test('a change affects only the fields that it names', async () => {
      const { store, owner, insert } = await setUp()
      const other = await insert()
      const device = await insert({ link: 'https://sky.example/' })
      const renamed = { ...device, label: 'Roof' }
      expect(await store.update(owner, device.id, { label: 'Roof' }, 5)).toEqual(renamed)
      const settings = { visibility: 'private' as const, precision: 'km1' as const }
      const changes = { lat: 7, lon: 8, link: null, ...settings }
      const moved = { ...renamed, ...changes, publicSinceMs: null }
      expect(await store.update(owner, device.id, changes, 5)).toEqual(moved)
      expect(await store.update(owner, device.id, {}, 5)).toEqual(moved)
      const scheduled = { ...moved, schedule: JSON.stringify(byCron) }
      expect(await store.update(owner, device.id, { schedule: byCron }, 5)).toEqual(scheduled)
      const relabelled = { ...scheduled, label: 'Cellar' }
      expect(await store.update(owner, device.id, { label: 'Cellar' }, 5)).toEqual(relabelled)
      expect(await store.listOwn(owner)).toEqual([other, relabelled])
      const plain = { ...relabelled, schedule: null }
      expect(await store.update(owner, device.id, { schedule: null }, 5)).toEqual(plain)
      const shared = { ...plain, isShared: 1 }
      expect(await store.update(owner, device.id, { isShared: true }, 5)).toEqual(shared)
      expect(await store.update(owner, device.id, { isShared: false }, 5)).toEqual(plain)
    })

    test('S23 a stranger finds, changes and deletes nothing', async () => {
      const { store, owner, stranger, insert } = await setUp()
      const device = await insert()
      for (const id of [device.id, 'missing']) {
        expect(await store.findOwn(stranger, id)).toBeUndefined()
        expect(await store.update(stranger, id, { label: 'Mine' }, 5)).toBeUndefined()
        expect(await store.update(stranger, id, {}, 5)).toBeUndefined()
        expect(await store.delete(stranger, id)).toBeUndefined()
      }
      expect(await store.listOwn(owner)).toEqual([device])
    })

    test('S57 others don’t find the devices of a disabled user, and their tokens are invalid', async () => {
      const { store, owner, stranger, insert, insertToken, disableUser } = await setUp()
      const device = await insert()
      const kept = await insert({ userKey: stranger })
      const [tokenHash, keptHash] = [randomBytes(32), randomBytes(32)]
      await insertToken(device.key, { tokenHash })
      await insertToken(kept.key, { tokenHash: keptHash })
      const seen = async () => ({
        found: (await store.find(null, device.id)) !== undefined,
        public: (await loadPublic(store)).map(({ key }) => key),
        token: await store.findToken(tokenHash),
        read: (await store.readTokens([device.key, kept.key])).map(({ deviceKey }) => deviceKey),
        loaded: await loadDeviceKeys(store),
      })
      const before = await seen()
      expect(before).toMatchObject({ found: true, public: [device.key, kept.key] })
      expect(before.loaded).toEqual([device.key, kept.key])

      await disableUser(owner, 7)
      const keys = [kept.key]
      expect(await seen()).toEqual({
        found: false,
        public: keys,
        token: undefined,
        read: keys,
        loaded: keys,
      })
      const off = { ...device, ownerDisabledMs: 7 }
      expect(await store.read([device.key])).toEqual([off])
      expect(await store.update(owner, device.id, { label: 'Pi' }, 9)).toMatchObject({
        ownerDisabledMs: 7,
      })
      expect(await insert()).toMatchObject({ ownerDisabledMs: 7 })
      expect(await store.findToken(keptHash)).toBeDefined()

      await disableUser(owner, null)
      expect(await seen()).toMatchObject({ found: true, token: before.token })
    })

    test('an operator can delete any user’s device', async () => {
      const { store, insert } = await setUp()
      const device = await insert()
      expect(await store.delete(null, 'missing')).toBeUndefined()
      expect(await store.delete(null, device.id)).toMatchObject({ id: device.id })
      expect(await store.delete(null, device.id)).toBeUndefined()
    })

    test('S57 only its owner finds a hidden device, until it is shown again unchanged', async () => {
      const { store, owner, stranger, insert } = await setUp()
      const device = await insert()
      const { id } = device
      const hidden = { ...device, hiddenMs: 7, hiddenReason: 'It says where somebody lives.' }
      const hide = (atMs: number, reason: string) => store.setHidden(id, { atMs, reason })
      await hide(7, 'Spam')
      expect(await hide(8, hidden.hiddenReason)).toEqual(hidden)
      expect(await store.find(stranger, id)).toBeUndefined()
      expect(await store.find(null, id)).toBeUndefined()
      expect(await loadPublic(store)).toEqual([])
      expect(await store.find(owner, id)).toMatchObject({ device: hidden, isOwn: true })
      expect(await store.update(owner, id, { visibility: 'public' }, 9)).toEqual(hidden)
      expect(await store.find(stranger, id)).toBeUndefined()

      expect(await store.setHidden(id, null)).toEqual(device)
      expect(await store.find(stranger, id)).toMatchObject({ device })
      expect(await loadPublic(store)).toEqual([device])
      expect(await store.setHidden('missing', null)).toBeUndefined()
    })

    test('devices of any user are read by id, with their owners’ names', async () => {
      const { store, owner, stranger, insert, nameUser } = await setUp()
      await nameUser(owner, { username: 'ada', name: 'Ada', isNamePublic: false })
      await nameUser(stranger, { username: 'bob', name: null, isNamePublic: false })
      const mine = await insert({ visibility: 'private' })
      const other = await insert({ userKey: stranger })
      await insert()
      const read = await store.readById([other.id, 'missing', mine.id])
      const byName = read.toSorted((a, b) => a.username.localeCompare(b.username))
      expect(byName).toEqual([
        { device: mine, username: 'ada' },
        { device: other, username: 'bob' },
      ])
      expect(await store.readById([])).toEqual([])
    })

    test('deleting a device deletes its tokens and presence, and returns the device', async () => {
      const { store, owner, insert, insertToken, noteHeartbeat, countPresence } = await setUp()
      const [device, kept] = [await insert(), await insert()]
      const tokenHash = randomBytes(32)
      await insertToken(device.key, { tokenHash })
      await insertToken(kept.key)
      await noteHeartbeat(device.key, 5)
      await noteHeartbeat(kept.key, 5)

      expect(await store.delete(owner, device.id)).toEqual(device)
      expect(await store.delete(owner, device.id)).toBeUndefined()
      expect(await store.findToken(tokenHash)).toBeUndefined()
      expect(await store.listTokens(device.key)).toEqual([])
      expect(await countPresence(device.key)).toBe(0)
      expect(await store.listTokens(kept.key)).toHaveLength(1)
      expect(await countPresence(kept.key)).toBe(1)
    })
  })

  describe('finding a device', () => {
    test('everybody finds a public device, only its owner a private one', async () => {
      const { store, owner, stranger, insert } = await setUp()
      const device = await insert()
      const found = { device, owner: null }
      expect(await store.find(null, device.id)).toEqual({ ...found, isOwn: false })
      expect(await store.find(stranger, device.id)).toEqual({ ...found, isOwn: false })
      expect(await store.find(owner, device.id)).toEqual({ ...found, isOwn: true })

      const hidden = await store.update(owner, device.id, { visibility: 'private' }, 5)
      expect(await store.find(null, device.id)).toBeUndefined()
      expect(await store.find(stranger, device.id)).toBeUndefined()
      const own = { device: hidden, isOwn: true, owner: null }
      expect(await store.find(owner, device.id)).toEqual(own)
      expect(await store.find(owner, 'missing')).toBeUndefined()
    })

    test('SP1 S54 everybody is shown a user’s devices that are public and not hidden, while the user is enabled', async () => {
      const { store, owner, stranger, insert, disableUser } = await setUp()
      const [shown, hidden, other] = [await insert(), await insert(), await insert()]
      const [secret, theirs] = [
        await insert({ visibility: 'private' }),
        await insert({ userKey: stranger }),
      ]
      const ids = [shown, hidden, secret, theirs].map(({ id }) => id)
      await store.setHidden(hidden.id, { atMs: 9, reason: 'Spam' })
      const { key, id, label, createdMs: publicSinceMs } = shown
      expect(await store.listShown(owner, [...ids, 'missing'])).toEqual([
        { key, id, label, publicSinceMs },
      ])
      expect(await store.listShown(owner, [other.id])).toHaveLength(1)
      expect(await store.listShown(owner, [])).toEqual([])
      await disableUser(owner, 10)
      expect(await store.listShown(owner, ids)).toEqual([])
    })

    test('publicSinceMs is when it last became public', async () => {
      const { store, owner, insert } = await setUp()
      const { id } = await insert({ createdMs: 1 })
      const since = async () => (await store.find(owner, id))?.device.publicSinceMs
      const change = (visibility: 'public' | 'private', atMs: number) =>
        store.update(owner, id, { visibility }, atMs)
      await change('public', 5)
      await store.update(owner, id, { label: 'Roof' }, 6)
      expect(await since()).toBe(1)
      await change('private', 7)
      expect(await since()).toBeNull()
      await change('public', 8)
      await change('public', 9)
      expect(await since()).toBe(8)
    })

    test('gives the owner’s display name or username, if the owner makes it public', async () => {
      const { store, owner, insert, nameUser } = await setUp()
      const { id } = await insert()
      const told = async () => (await store.find(null, id))?.owner
      await nameUser(owner, { username: 'nova', name: null, isNamePublic: true })
      expect(await told()).toBe('nova')
      await nameUser(owner, { username: 'nova', name: 'Nova', isNamePublic: true })
      expect(await told()).toBe('Nova')
      await nameUser(owner, { username: 'nova', name: 'Nova', isNamePublic: false })
      expect(await told()).toBeNull()
    })
  })

  describe('the public devices', () => {
    test('are those of all users, page by page, by key', async () => {
      const { store, stranger, insert } = await setUp()
      expect(await loadPublic(store)).toEqual([])
      const devices = [await insert(), await insert({ userKey: stranger }), await insert()]
      expect(await loadPublic(store)).toEqual(devices)
    })

    test('S23 include no private one', async () => {
      const { store, owner, insert } = await setUp()
      const device = await insert({ visibility: 'private' })
      expect(await loadPublic(store)).toEqual([])
      const changed = await store.update(owner, device.id, { visibility: 'public' }, 5)
      expect(await loadPublic(store)).toEqual([changed])
      await store.update(owner, device.id, { visibility: 'private' }, 6)
      expect(await loadPublic(store)).toEqual([])
    })
  })

  describe('tokens', () => {
    test.each([['Pi'], [null], ['a\u0001b 👩‍🚀']])('a token labelled %j is stored', async (label) => {
      const { store, insert } = await setUp()
      const { key: deviceKey } = await insert()
      const token = newToken({ deviceKey, label })
      expect(await store.insertToken(token, 10)).toBe('inserted')
      const { deviceKey: _device, tokenHash, ...visible } = token
      const [record] = await store.listTokens(deviceKey)
      expect(record).toEqual({ ...visible, key: record?.key, lastUsedMs: null })
      const found = { tokenKey: record?.key, deviceKey, scope: 'report' }
      expect(await store.findToken(tokenHash)).toEqual(found)
    })

    test('S21 every read gives a token’s scope, and a renewal keeps it', async () => {
      const { store, owner, insert, insertToken } = await setUp()
      const { key } = await insert()
      const tokenHash = randomBytes(32)
      await insertToken(key, { label: 'plain' })
      await insertToken(key, { tokenHash, scope: 'relay' })
      const [plain, relay] = await store.listTokens(key)
      expect([plain?.scope, relay?.scope]).toEqual(['report', 'relay'])
      expect(await store.findToken(tokenHash)).toMatchObject({ scope: 'relay' })
      const read = await store.readTokens([key])
      expect(new Set(read.map(({ tokenKey, scope }) => `${tokenKey} ${scope}`))).toEqual(
        new Set([`${plain?.key} report`, `${relay?.key} relay`]),
      )
      const pages = await Array.fromAsync(store.loadTokens())
      expect(pages.flatMap(({ relayKeys }) => relayKeys)).toEqual([relay?.key])
      await store.renewTokens(owner, 9, () => {
        const { id, tokenHash: renewedHash, start } = newToken({ deviceKey: key })
        return { id, tokenHash: renewedHash, start }
      })
      expect((await store.listTokens(key)).map(({ label, scope }) => [label, scope])).toEqual([
        ['plain', 'report'],
        [null, 'relay'],
      ])
    })

    test('only the tokens of one device are listed, oldest first', async () => {
      const { store, insert, insertToken } = await setUp()
      const [device, other] = [await insert(), await insert()]
      await insertToken(device.key, { id: 'b', createdMs: 20 })
      await insertToken(other.key)
      await insertToken(device.key, { id: 'a', createdMs: 10 })
      const tokens = await store.listTokens(device.key)
      expect(tokens.map(({ id }) => id)).toEqual(['b', 'a'])
    })

    test('S19 a token is found only by its whole hash', async () => {
      const { store, insert, insertToken } = await setUp()
      const { key } = await insert()
      const tokenHash = randomBytes(32)
      await insertToken(key, { tokenHash })
      expect(await store.findToken(tokenHash.subarray(0, 31))).toBeUndefined()
      expect(await store.findToken(randomBytes(32))).toBeUndefined()
      expect(await store.findToken(new Uint8Array())).toBeUndefined()
    })

    test('the limit holds under simultaneous calls, for each device separately', async () => {
      const { store, insert, insertToken } = await setUp()
      const [device, other] = [await insert(), await insert()]
      await insertToken(other.key)
      const results = await Promise.all(
        Array.from({ length: 8 }, () => store.insertToken(newToken({ deviceKey: device.key }), 3)),
      )
      expect(results.filter((result) => result === 'inserted')).toHaveLength(3)
      expect(results.filter((result) => result === 'limit_reached')).toHaveLength(5)
      expect(await store.listTokens(device.key)).toHaveLength(3)
    })

    test('no token is created for a device that was deleted meanwhile', async () => {
      const { store, owner, insert, insertToken } = await setUp()
      const { id, key } = await insert()
      await store.delete(owner, id)
      expect(await insertToken(key)).toBe('device_missing')
    })

    test('S22 a deleted token is no longer found, the others are', async () => {
      const { store, owner, insert, insertToken } = await setUp()
      const { key } = await insert()
      const [gone, kept] = [newToken({ deviceKey: key }), newToken({ deviceKey: key })]
      await insertToken(key, gone)
      await insertToken(key, kept)
      expect(await store.deleteToken(owner, gone.id)).toEqual({ deviceId: expect.any(String) })
      expect(await store.deleteToken(owner, gone.id)).toBeUndefined()
      expect(await store.findToken(gone.tokenHash)).toBeUndefined()
      expect(await store.findToken(kept.tokenHash)).toBeDefined()
    })

    test('all tokens of one user are renewed at once, however many there are', async () => {
      const { store, owner, stranger, insert, insertToken } = await setUp()
      const other = await insert({ userKey: stranger })
      const theirs = newToken({ deviceKey: other.key })
      await insertToken(other.key, theirs)
      const old: NewDeviceToken[] = []
      for (let count = 0; count < 11; count += 1) {
        const { key } = await insert({ label: `Pi ${count}` })
        for (let token = 0; token < 10; token += 1) {
          old.push(newToken({ deviceKey: key, label: `${count}.${token}` }))
        }
      }
      await Promise.all(old.map((token) => insertToken(token.deviceKey, token)))
      const renewals = await store.renewTokens(owner, 77, () => {
        const { id, tokenHash, start } = newToken({ deviceKey: 0 })
        return { id, tokenHash, start }
      })
      expect(renewals).toHaveLength(old.length)
      expect(namesOf(renewals)).toEqual(namesOf(old))
      expect(renewals[0]).toMatchObject({ deviceLabel: 'Pi 0', deviceId: expect.any(String) })
      expect(await store.findToken(old[0]?.tokenHash ?? new Uint8Array())).toBeUndefined()
      expect(await store.findToken(theirs.tokenHash)).toBeDefined()
      const last = renewals.at(-1)
      const found = await store.findToken(last?.renewed.tokenHash ?? new Uint8Array())
      expect(found?.deviceKey).toBe(last?.deviceKey)
      expect(await store.listTokens(last?.deviceKey ?? 0)).toHaveLength(10)
      expect((await store.listTokens(last?.deviceKey ?? 0)).at(-1)).toMatchObject({
        createdMs: 77,
        lastUsedMs: null,
      })
      expect(await store.countOwn(owner)).toBe(11)
      expect(
        await store.renewTokens(stranger + 1000, 77, () => newToken({ deviceKey: 0 })),
      ).toEqual([])
    })

    test('S23 a stranger can’t delete a token', async () => {
      const { store, stranger, insert, insertToken } = await setUp()
      const { key } = await insert()
      await insert({ userKey: stranger })
      const token = newToken({ deviceKey: key })
      await insertToken(key, token)
      expect(await store.deleteToken(stranger, token.id)).toBeUndefined()
      expect(await store.findToken(token.tokenHash)).toBeDefined()
    })

    test('all tokens are loaded, each with its device and its whole hash', async () => {
      const { store, insert, insertToken } = await setUp()
      const devices = [await insert(), await insert()]
      const expected = new Map<string, number>()
      for (const { key } of [...devices, ...devices]) {
        const tokenHash = randomBytes(32)
        await insertToken(key, { tokenHash })
        expected.set(tokenHash.toString('hex'), key)
      }
      const loaded = new Map<string, number | undefined>()
      for await (const { tokenKeys, deviceKeys, tokenHashes } of store.loadTokens()) {
        for (const [i, tokenKey] of tokenKeys.entries()) {
          const tokenHash = tokenHashes.subarray(i * 32, (i + 1) * 32)
          expect(await store.findToken(tokenHash)).toMatchObject({ tokenKey })
          loaded.set(Buffer.from(tokenHash).toString('hex'), deviceKeys[i])
        }
      }
      expect(loaded).toEqual(expected)
    })

    test('the last use of each token is recorded; a deleted token is skipped', async () => {
      const { store, insert, insertToken } = await setUp()
      const { key } = await insert()
      await insertToken(key)
      await insertToken(key)
      const [first, second] = await store.listTokens(key)
      await store.recordTokenUses({ keys: [first?.key ?? 0, 404], atMs: [7, 8] })
      expect(await store.listTokens(key)).toEqual([{ ...first, lastUsedMs: 7 }, second])
    })
  })
}

async function loadPublic(store: DevicesStore): Promise<readonly DeviceRecord[]> {
  const pages = await Array.fromAsync(store.loadPublic())
  return pages.flat()
}

function newDevice(details: Partial<NewDevice> & { readonly userKey: number }): NewDevice {
  return {
    id: randomUUID(),
    label: 'Pi',
    lat: 0,
    lon: 0,
    link: null,
    visibility: 'public',
    precision: 'exact',
    isShared: false,
    schedule: null,
    createdMs: 1,
    ...details,
  }
}

function newToken(
  details: Partial<NewDeviceToken> & { readonly deviceKey: number },
): NewDeviceToken {
  const tokenHash = new Uint8Array(randomBytes(32))
  return {
    id: randomUUID(),
    tokenHash,
    start: 'apd_123456',
    label: null,
    scope: 'report',
    createdMs: 1,
    ...details,
  }
}

function inserted<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('Nothing was inserted')
  return value
}

/** The device of each token. */
async function loadDeviceKeys(store: DeviceTokensStore): Promise<readonly number[]> {
  const pages = await Array.fromAsync(store.loadTokens())
  return pages.flatMap(({ deviceKeys }) => deviceKeys)
}

function importOf(userKey: number, parts: Partial<DeviceImport>): DeviceImport {
  return { userKey, created: [], updated: [], tokens: [], atMs: 50, ...parts }
}

/** A set, because rows come in any order. */
function namesOf(tokens: readonly { deviceKey: number; label: string | null }[]) {
  return new Set(tokens.map(({ deviceKey, label }) => `${deviceKey} ${label}`))
}
