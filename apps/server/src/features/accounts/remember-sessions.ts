import type { Clock } from '../../clock.ts'
import type { AccountsStore } from './accounts-store.ts'
import { BoundedMap } from './bounded-map.ts'

type FoundSession = Awaited<ReturnType<AccountsStore['findSession']>>

/** What another instance ends or changes is noticed after this time; what this one does, at once. */
const rememberedMs = 1000
const maxRemembered = 10_000

/** A store that asks once for a session that sends many requests, where each would be a query. */
export function rememberSessions(store: AccountsStore, clock: Clock): AccountsStore {
  const remembered = new BoundedMap<{ atMs: number; found: Promise<FoundSession> }>(maxRemembered)
  const forget = (tokenHash: Uint8Array) => remembered.delete(nameOf(tokenHash))

  const ask = async (tokenHash: Uint8Array, name: string): Promise<FoundSession> => {
    let found: FoundSession
    try {
      found = await store.findSession(tokenHash)
      return found
    } finally {
      // A stranger's guesses must not push out who is signed in.
      if (found === undefined) remembered.delete(name)
    }
  }

  return {
    ...store,
    findSession: (tokenHash) => {
      const name = nameOf(tokenHash)
      const nowMs = clock()
      const known = remembered.get(name)
      if (known !== undefined && nowMs - known.atMs < rememberedMs) return known.found
      const found = ask(tokenHash, name)
      remembered.set(name, { atMs: nowMs, found })
      return found
    },
    noteSessionUse: async (tokenHash, atMs) => {
      await store.noteSessionUse(tokenHash, atMs)
      forget(tokenHash)
    },
    startSession: async (session, replacedTokenHash) => {
      await store.startSession(session, replacedTokenHash)
      if (replacedTokenHash !== null) forget(replacedTokenHash)
    },
    endSession: async (tokenHash) => {
      const ended = await store.endSession(tokenHash)
      forget(tokenHash)
      return ended
    },
    deleteSessions: async (until) => {
      const deleted = await store.deleteSessions(until)
      remembered.clear()
      return deleted
    },
    setName: async (userKey, name) => {
      const user = await store.setName(userKey, name)
      remembered.clear()
      return user
    },
    deleteUser: async (userKey) => {
      const isDeleted = await store.deleteUser(userKey)
      remembered.clear()
      return isDeleted
    },
  }
}

function nameOf(tokenHash: Uint8Array): string {
  return Buffer.from(tokenHash).toString('base64')
}
