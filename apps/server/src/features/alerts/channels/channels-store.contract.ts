import { randomBytes, randomUUID } from 'node:crypto'
import { sameRules } from '@astropelago/contract/alert-rules'
import { describe, expect, test } from 'vitest'
import type { AlertRulesStore } from '../alert-rules-store.ts'
import type { ChannelsStore, NewChannelRecord } from './channels-store.ts'

export interface ChannelsStoreHarness {
  readonly store: ChannelsStore
  /** Rules of the same users. */
  readonly rules: AlertRulesStore
  readonly insertUser: () => Promise<number>
  readonly insertDevice: (userKey: number) => Promise<number>
  readonly disableUser: (userKey: number) => Promise<void>
  readonly deleteUser: (userKey: number) => Promise<void>
}

const webhook = { kind: 'webhook', url: 'https://example.org/hook' } as const
const email = { kind: 'email', address: 'Ada@example.org' } as const

/** What every store of channels must do, on any database. */
export function channelsStoreContract(open: () => Promise<ChannelsStoreHarness>): void {
  async function setUp() {
    const harness = await open()
    const { store, insertUser } = harness
    const [owner, stranger] = [await insertUser(), await insertUser()]
    const insert = async (details: Partial<NewChannelRecord> = {}) => {
      const channel: NewChannelRecord = {
        id: randomUUID(),
        userKey: owner,
        name: 'Work “2”',
        settings: webhook,
        secret: 'whsec_c2VjcmV0',
        unsubscribeCode: null,
        confirmedMs: 5,
        createdMs: 5,
        code: null,
        ...details,
      }
      expect(await store.insert(channel, 10)).toBe(true)
      const found = await store.find(channel.userKey, channel.id)
      if (found === undefined) throw new Error('The channel is not there')
      return found
    }
    const insertEmail = async () => {
      const code = { hash: randomBytes(32), expiresMs: 100 }
      const unsubscribeCode = randomUUID()
      const details = { settings: email, secret: null, unsubscribeCode, confirmedMs: null, code }
      return { channel: await insert(details), code, unsubscribeCode }
    }
    return { ...harness, owner, stranger, insert, insertEmail }
  }

  describe('channels', () => {
    test('are found as they were inserted, oldest first, by their owner alone', async () => {
      const { store, owner, stranger, insert } = await setUp()
      const [first, second] = [await insert(), await insert({ name: 'Home' })]
      expect(first).toMatchObject({
        userKey: owner,
        name: 'Work “2”',
        settings: webhook,
        secret: 'whsec_c2VjcmV0',
        revision: 0,
        confirmedMs: 5,
        endedMs: null,
        answer: null,
        failingMs: null,
      })
      expect(await store.list(owner)).toEqual([first, second])
      expect(await store.findByKey(first.key)).toEqual(first)
      expect(await store.list(stranger)).toEqual([])
      expect(await store.find(stranger, first.id)).toBeUndefined()
    })

    test('CH5 S52 never exceed the limit, even under simultaneous calls', async () => {
      const { store, owner, insert } = await setUp()
      const channel = await insert()
      const outcomes = await Promise.all(
        Array.from({ length: 6 }, () =>
          store.insert({ ...channel, id: randomUUID(), code: null }, 3),
        ),
      )
      expect(outcomes.filter(Boolean)).toHaveLength(2)
      expect(await store.list(owner)).toHaveLength(3)
    })

    test('CH1 S23 are changed and deleted by their owner alone', async () => {
      const { store, owner, stranger, insert } = await setUp()
      const { id } = await insert()
      const change = { settings: webhook, confirmedMs: 9, code: null, unsubscribeCode: null }
      const code = { hash: randomBytes(32), expiresMs: 100 }
      expect(await store.rename(stranger, id, 'Theirs')).toBe(false)
      expect(await store.replaceSettings(stranger, id, change)).toBe(false)
      expect(await store.replaceSecret(stranger, id, 'theirs')).toBe(false)
      expect(await store.replaceCode({ userKey: stranger, id, revision: 0 }, code)).toBe(false)
      expect(await store.delete(stranger, id)).toBeUndefined()
      expect(await store.find(owner, id)).toMatchObject({ name: 'Work “2”', revision: 0 })
      expect(await store.rename(owner, id, 'Mine')).toBe(true)
      expect(await store.replaceSecret(owner, id, 'mine')).toBe(true)
      expect(await store.find(owner, id)).toMatchObject({ name: 'Mine', secret: 'mine' })
      expect(await store.delete(owner, id)).toMatchObject({ id })
      expect(await store.delete(owner, id)).toBeUndefined()
    })

    test('[N15] leave all rules when they are deleted, and rules without a choice mean all channels', async () => {
      const { store, rules, owner, stranger, insert, insertDevice } = await setUp()
      const [gone, kept] = [await insert(), await insert()]
      const [first, second, third] = [
        await insertDevice(owner),
        await insertDevice(owner),
        await insertDevice(owner),
      ]
      const choose = (key: number, channels: string[], more: object = {}) =>
        rules.changeSubjectRules(
          owner,
          { of: 'device', key },
          (all) => ({ ...all, ...more, channels }),
          1,
        )
      await choose(first, [gone.id, kept.id])
      await choose(second, [gone.id], { graceS: 9 })
      await choose(third, [gone.id])
      for (const userKey of [owner, stranger]) {
        await rules.changeRules(userKey, (all) => ({ ...all, channels: [gone.id] }), 1)
      }
      await store.delete(stranger, gone.id)
      expect((await rules.rulesOf([owner])).get(owner)?.rules.channels).toEqual([gone.id])
      await store.delete(owner, gone.id)
      const found = await rules.rulesOf([owner, stranger])
      expect(found.get(owner)?.rules.channels).toBeNull()
      expect(found.get(owner)?.differing).toEqual(
        new Map([
          [`device ${first}`, { ...sameRules, channels: [kept.id] }],
          [`device ${second}`, { ...sameRules, graceS: 9 }],
        ]),
      )
      expect(found.get(stranger)?.rules.channels).toEqual([gone.id])
    })

    test('are confirmed by their code, once and in time', async () => {
      const { store, insertEmail } = await setUp()
      const { channel, code } = await insertEmail()
      expect(await store.confirm(randomBytes(32), 50)).toBeUndefined()
      expect(await store.confirm(code.hash, 100)).toBeUndefined()
      expect(await store.confirm(code.hash, 99)).toMatchObject({
        channel: { id: channel.id, confirmedMs: 99 },
      })
      expect(await store.confirm(code.hash, 99)).toBeUndefined()
    })

    test('have one code at a time', async () => {
      const { store, owner, insertEmail } = await setUp()
      const { channel, code } = await insertEmail()
      const next = { hash: randomBytes(32), expiresMs: 200 }
      const asWritten = { userKey: owner, id: channel.id, revision: 0 }
      expect(await store.replaceCode(asWritten, next)).toBe(true)
      expect(await store.confirm(code.hash, 50)).toBeUndefined()
      expect(await store.confirm(next.hash, 150)).toMatchObject({ channel: { confirmedMs: 150 } })
    })

    test('[CH4] CH2 are not confirmed by a code that was sent to their former address', async () => {
      const { store, owner, insertEmail } = await setUp()
      const { channel } = await insertEmail()
      const before = { userKey: owner, id: channel.id, revision: 0 }
      const toAnother = { hash: randomBytes(32), expiresMs: 200 }
      const settings = { kind: 'email', address: 'stranger@example.org' } as const
      await store.replaceSettings(owner, channel.id, {
        settings,
        confirmedMs: null,
        code: toAnother,
        unsubscribeCode: 'another',
      })
      const toBefore = { hash: randomBytes(32), expiresMs: 200 }
      expect(await store.replaceCode(before, toBefore)).toBe(false)
      expect(await store.confirm(toBefore.hash, 50)).toBeUndefined()
      expect(await store.confirm(toAnother.hash, 50)).toMatchObject({ channel: { settings } })
    })

    test('end by the code in their mails, and a second time without a change', async () => {
      const { store, insertEmail } = await setUp()
      const { channel, code, unsubscribeCode } = await insertEmail()
      expect(await store.unsubscribe('another', 50)).toBeUndefined()
      expect(await store.unsubscribe(unsubscribeCode, 50)).toMatchObject({
        channel: { endedMs: 50 },
      })
      expect(await store.unsubscribe(unsubscribeCode, 60)).toMatchObject({
        channel: { endedMs: 50 },
      })
      // A code that was already sent does not bring it back.
      expect(await store.confirm(code.hash, 70)).toBeUndefined()
      expect(await store.findByKey(channel.key)).toMatchObject({ endedMs: 50, confirmedMs: null })
    })

    test('AL3 are ready if they are confirmed and not ended, and their user is not disabled', async () => {
      const { store, owner, stranger, insert, insertEmail, insertUser, disableUser } = await setUp()
      const [first, second] = [await insert(), await insert()]
      const theirs = await insert({ userKey: stranger })
      await insertEmail()
      await store.recordAnswer(second.key, 0, { atMs: 7, isOk: false, note: '', hasEnded: true })
      const disabled = await insertUser()
      await insert({ userKey: disabled })
      await disableUser(disabled)
      const ready = await store.listReady([owner, stranger, disabled])
      expect(ready.map(({ key }) => key)).toEqual([first.key, theirs.key])
      expect(await store.listReady([])).toEqual([])
    })

    test('record the last answer, and since when messages fail', async () => {
      const { store, insert } = await setUp()
      const { key } = await insert()
      const answer = (atMs: number, isOk: boolean, hasEnded = false) =>
        store.recordAnswer(key, 0, { atMs, isOk, note: `at ${atMs}`, hasEnded })
      await answer(10, true)
      expect(await store.findByKey(key)).toMatchObject({
        answer: { atMs: 10, isOk: true, note: 'at 10' },
        failingMs: null,
      })
      await answer(20, false)
      await answer(30, false)
      expect(await store.findByKey(key)).toMatchObject({
        answer: { atMs: 30, isOk: false, note: 'at 30' },
        failingMs: 20,
        endedMs: null,
      })
      await answer(40, true)
      expect(await store.findByKey(key)).toMatchObject({ failingMs: null })
      await answer(50, false, true)
      expect(await store.findByKey(key)).toMatchObject({ failingMs: 50, endedMs: 50 })
    })

    test('start afresh with other settings, and answers to older settings do not count', async () => {
      const { store, owner, insert } = await setUp()
      const { key, id } = await insert()
      await store.recordAnswer(key, 0, { atMs: 10, isOk: false, note: 'gone', hasEnded: true })
      const settings = { ...webhook, url: 'https://example.org/other' }
      const change = { settings, confirmedMs: 20, code: null, unsubscribeCode: null }
      expect(await store.replaceSettings(owner, id, { ...change, settings: email })).toBe(false)
      expect(await store.replaceSettings(owner, id, change)).toBe(true)
      await store.recordAnswer(key, 0, { atMs: 30, isOk: false, note: 'gone', hasEnded: true })
      expect(await store.find(owner, id)).toMatchObject({
        settings,
        revision: 1,
        confirmedMs: 20,
        endedMs: null,
        answer: null,
        failingMs: null,
      })
    })

    test('are deleted with their user', async () => {
      const { store, owner, insert, deleteUser } = await setUp()
      const { key } = await insert()
      await deleteUser(owner)
      expect(await store.findByKey(key)).toBeUndefined()
    })

    test('S8 keys for push messages are made once, even if servers start at the same time', async () => {
      const { store } = await setUp()
      const made = ['a', 'b', 'c'].map((name) => ({ publicKey: name, privateKey: `${name}!` }))
      const kept = await Promise.all(made.map((keys) => store.ensurePushKeys(() => keys)))
      expect(made).toContainEqual(kept[0])
      expect(await store.ensurePushKeys(() => expect.unreachable())).toEqual(kept[0])
      expect(new Set(kept.map(({ publicKey }) => publicKey)).size).toBe(1)
    })
  })
}
