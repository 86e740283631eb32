import { randomInt } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { UniqueViolation } from '../../storage/storage-error.ts'
import type { AccountsStore, UserRecord } from './accounts-store.ts'
import type { SessionOrigin } from './session-origin.ts'
import type { SignedIn } from './sign-in.ts'
import { startSession } from './start-session.ts'

const lifetimeMs = 24 * 3_600_000
/** Without characters that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const suffixLength = 6
/** There are 31^6 names, so even a second collision suggests that something else is wrong. */
const maxNames = 5

interface SignInDemoDeps {
  readonly store: AccountsStore
  readonly clock: Clock
  readonly makeUsername?: () => string
}

/** Creates a temporary user without a password and signs them in. */
export async function signInDemo(
  { store, clock, makeUsername = randomUsername }: SignInDemoDeps,
  presentedToken: string | undefined,
  origin?: SessionOrigin,
): Promise<SignedIn> {
  const user = await insertDemoUser(store, clock(), makeUsername)
  return { user, token: await startSession({ store, clock }, user.key, presentedToken, { origin }) }
}

async function insertDemoUser(
  store: AccountsStore,
  nowMs: number,
  makeUsername: () => string,
): Promise<UserRecord> {
  for (let names = 1; ; names += 1) {
    try {
      return await store.insertUser({
        username: makeUsername(),
        passwordHash: null,
        isDemo: true,
        createdMs: nowMs,
        expiresMs: nowMs + lifetimeMs,
      })
    } catch (error) {
      if (!(error instanceof UniqueViolation) || names === maxNames) throw error
    }
  }
}

function randomUsername(): string {
  const suffix = Array.from({ length: suffixLength }, () => alphabet[randomInt(alphabet.length)])
  return `demo-${suffix.join('')}`
}
