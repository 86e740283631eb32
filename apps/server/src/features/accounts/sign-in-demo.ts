import { randomInt } from 'node:crypto'
import { UniqueViolation } from '../../storage/storage-error.ts'
import type { AccountsParts } from './accounts-parts.ts'
import { startSession, type SessionOrigin } from './start-session.ts'

const lifetimeMs = 24 * 3_600_000
/** Without characters that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const suffixLength = 6
/** There are 31^6 names, so even a second collision suggests that something else is wrong. */
const maxNames = 5

interface SignInDemoDeps extends Pick<AccountsParts, 'store' | 'clock'> {
  readonly makeUsername?: () => string
}

/** Creates a temporary user without a password and signs them in. */
export async function signInDemo(
  deps: SignInDemoDeps,
  presentedToken: string | undefined,
  origin?: SessionOrigin,
) {
  const user = await insertDemoUser(deps)
  return { user, token: await startSession(deps, user.key, presentedToken, { origin }) }
}

async function insertDemoUser({ store, clock, makeUsername = randomUsername }: SignInDemoDeps) {
  const createdMs = clock()
  const demo = { passwordHash: null, isDemo: true, createdMs, expiresMs: createdMs + lifetimeMs }
  for (let names = 1; ; names += 1) {
    try {
      return await store.insertUser({ ...demo, username: makeUsername() })
    } catch (error) {
      if (!(error instanceof UniqueViolation) || names === maxNames) throw error
    }
  }
}

function randomUsername(): string {
  const suffix = Array.from({ length: suffixLength }, () => alphabet[randomInt(alphabet.length)])
  return `demo-${suffix.join('')}`
}
