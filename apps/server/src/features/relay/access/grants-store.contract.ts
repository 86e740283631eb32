import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { ReferenceViolation } from '../../../storage/storage-error.ts'
import type { NewAnswer, NewTicket, Redemption, GrantsStore } from './grants-store.ts'

export interface GrantsStoreHarness {
  readonly store: GrantsStore
  readonly insertUser: () => Promise<number>
  readonly insertIsland: () => Promise<{ readonly key: number; readonly id: string }>
  readonly deleteIsland: (key: number) => Promise<void>
  readonly insertSession: (userKey: number, tokenHash: Uint8Array) => Promise<void>
  readonly endSession: (tokenHash: Uint8Array) => Promise<void>
}

const hostName = 'harbor.islands.example'
const secret = () => new Uint8Array(randomBytes(32))

async function setUp(open: () => Promise<GrantsStoreHarness>) {
  const harness = await open()
  const { store, insertUser, insertIsland, insertSession } = harness
  const userKey = await insertUser()
  const { key: islandKey, id: islandId } = await insertIsland()
  const sessionHash = secret()
  await insertSession(userKey, sessionHash)
  const stateHash = secret()
  const makeTicket = async (changes: Partial<NewTicket> = {}, limit = 20) => {
    const where = { islandKey, hostName }
    const ticket = { ticketHash: secret(), stateHash, ...where, sessionHash, expiresMs: 1000 }
    await store.insertTicket({ ...ticket, ...changes }, limit)
    return { ...ticket, ...changes }.ticketHash
  }
  const use = async (ticketHash: Uint8Array, changes: Partial<Redemption> = {}, limit = 20) => {
    const grantHash = secret()
    const right = { stateHash, islandKey, hostName, nowMs: 999 }
    const isUsed = await store.redeem(ticketHash, { ...right, ...changes }, { grantHash, limit })
    return isUsed ? grantHash : undefined
  }
  const answer = (changes: Partial<NewAnswer> = {}, limit = 20) =>
    store.answer(
      { userKey, islandKey, visitorId: 'v1', tellsName: true, answeredMs: 5, ...changes },
      limit,
    )
  return { ...harness, userKey, islandKey, islandId, sessionHash, makeTicket, use, answer }
}

/** What every grants store must do, on any database. */
export function grantsStoreContract(open: () => Promise<GrantsStoreHarness>): void {
  describe('tickets', () => {
    test('R20 a ticket becomes a grant once, even if several browsers hold it', async () => {
      const { store, makeTicket, use, islandKey, userKey, sessionHash } = await setUp(open)
      const ticket = await makeTicket()
      const uses = await Promise.all([use(ticket), use(ticket), use(ticket)])
      const [grant, ...others] = uses.filter((one) => one !== undefined)
      expect(others).toEqual([])
      expect(await use(ticket)).toBeUndefined()
      const found = await store.findGrant(grant ?? secret())
      expect(found).toMatchObject({ islandKey, hostName, userKey, visitorId: null })
      expect(Buffer.from(found?.sessionHash ?? []).equals(sessionHash)).toBe(true)
      expect(await store.findGrant(secret())).toBeUndefined()
    })

    test('R20 a ticket fails for another island, for another browser and too late, and its owner can still use it', async () => {
      const { makeTicket, use, insertIsland } = await setUp(open)
      const ticket = await makeTicket({ expiresMs: 1000 })
      expect(await use(ticket, { stateHash: secret() })).toBeUndefined()
      expect(await use(ticket, { islandKey: (await insertIsland()).key })).toBeUndefined()
      expect(await use(ticket, { nowMs: 1000 })).toBeUndefined()
      expect(await use(ticket)).toBeDefined()
    })

    test('R61 a ticket for one host name does not work at another', async () => {
      const { makeTicket, use } = await setUp(open)
      const ticket = await makeTicket({ hostName: 'harbor.example' })
      expect(await use(ticket)).toBeUndefined()
      expect(await use(ticket, { hostName: 'harbor.example' })).toBeDefined()
    })

    test('R20 tickets and grants end with their session and with their island', async () => {
      const world = await setUp(open)
      const { store, makeTicket, use, insertIsland, deleteIsland, endSession } = world
      const other = await insertIsland()
      const grants = [
        await use(await makeTicket()),
        await use(await makeTicket({ islandKey: other.key }), { islandKey: other.key }),
      ].map((grant) => grant ?? secret())
      const found = async () =>
        (await Promise.all(grants.map((grant) => store.findGrant(grant)))).map(
          (grant) => grant !== undefined,
        )
      expect(await found()).toEqual([true, true])
      await deleteIsland(other.key)
      expect(await found()).toEqual([true, false])
      const ticket = await makeTicket()
      await endSession(world.sessionHash)
      expect(await found()).toEqual([false, false])
      expect(await use(ticket)).toBeUndefined()
      await expect(makeTicket()).rejects.toThrow(ReferenceViolation)
    })

    test('S52 a session’s oldest tickets and grants beyond the limit are deleted, and expired tickets', async () => {
      const { store, makeTicket, use } = await setUp(open)
      const tickets = []
      for (const expiresMs of [1001, 1002, 1003]) tickets.push(await makeTicket({ expiresMs }, 2))
      const grants = []
      for (const [at, ticket] of tickets.entries()) grants.push(await use(ticket, { nowMs: at }))
      expect(grants.map((grant) => grant !== undefined)).toEqual([false, true, true])
      const third = await use(await makeTicket(), { nowMs: 5 }, 2)
      const kept = await Promise.all(
        [...grants.slice(1), third].map((grant) => store.findGrant(grant ?? secret())),
      )
      expect(kept.map((grant) => grant !== undefined)).toEqual([false, true, true])
      await makeTicket({ expiresMs: 2000 })
      expect(await store.deleteExpiredTickets(1999)).toBe(0)
      expect(await store.deleteExpiredTickets(2000)).toBe(1)
    })
  })

  describe('what islands learn about visitors', () => {
    test('R23 a grant has the visitor’s id while the answer is yes, and always the first id', async () => {
      const { store, makeTicket, use, answer, userKey, islandKey } = await setUp(open)
      const grant = (await use(await makeTicket())) ?? secret()
      const told = async () => (await store.findGrant(grant))?.visitorId
      expect(await store.findAnswer(userKey, islandKey)).toBeNull()
      await answer()
      expect([await told(), await store.findAnswer(userKey, islandKey)]).toEqual(['v1', true])
      await answer({ tellsName: false, visitorId: 'v2' })
      expect([await told(), await store.findAnswer(userKey, islandKey)]).toEqual([null, false])
      await answer({ visitorId: 'v3' })
      expect(await told()).toBe('v1')
      await store.takeBack(userKey, islandKey, 9)
      expect([await told(), await store.findAnswer(userKey, islandKey)]).toEqual([null, null])
    })

    test('answers are listed newest first, and the oldest beyond the limit are deleted', async () => {
      const { store, answer, insertIsland, insertUser, islandId, userKey } = await setUp(open)
      const other = await insertIsland()
      const third = await insertIsland()
      await answer({ answeredMs: 1 })
      await answer({ answeredMs: 2, islandKey: other.key, visitorId: 'v2', tellsName: false })
      await answer({ answeredMs: 9, userKey: await insertUser(), visitorId: 'v4' }, 1)
      const listed = async () =>
        (await store.listAnswers(userKey)).map(({ islandId: id, tellsName }) => [id, tellsName])
      expect(await listed()).toEqual([
        [other.id, false],
        [islandId, true],
      ])
      await answer({ answeredMs: 3, islandKey: third.key, visitorId: 'v3' }, 2)
      expect(await listed()).toEqual([
        [third.id, true],
        [other.id, false],
      ])
    })
  })
}
