import { randomInt } from 'node:crypto'
import { brokenCredentialRule, type Credentials } from '@astropelago/contract/accounts'
import { passwordMaxLength, usernamePattern } from '@astropelago/contract/limits'
import { codePointLength } from '@astropelago/contract/text'
import { DomainError } from '../../domain-error.ts'
import type { UserCaller } from '../../http/callers.ts'
import { UniqueViolation } from '../../storage/storage-error.ts'
import type { AccountsParts } from './accounts-parts.ts'
import { foldUsername } from './fold-username.ts'
import { startSession, type SessionOrigin } from './start-session.ts'

type VerifyDeps = Pick<AccountsParts, 'store' | 'passwordHasher' | 'throttle'>
type SignInDeps = VerifyDeps & Pick<AccountsParts, 'clock'>

/** Wrong username or password. `userKey` is for the log only, never for the answer. */
export class SignInFailed extends DomainError {
  readonly userKey: number | null

  constructor(userKey: number | null) {
    super('invalid_credentials')
    this.userKey = userKey
  }
}

/** @throws DomainError `invalid_input`, `rate_limited`, `overloaded`, `account_disabled`, or SignInFailed */
export async function signIn(
  deps: SignInDeps,
  credentials: Credentials,
  {
    address,
    presentedToken,
    origin,
  }: {
    /** Null if no limit applies. */
    readonly address: string | null
    readonly presentedToken: string | undefined
    readonly origin?: SessionOrigin
  },
) {
  const { password } = credentials
  if (brokenCredentialRule(credentials) === 'required') throw new DomainError('invalid_input')
  const username = foldTyped(credentials.username)
  const { user, passwordHash } = await verifyPassword(deps, username, password, address)
  if (user === undefined || passwordHash === null) throw new SignInFailed(user?.key ?? null)
  // Reveal this only to somebody who knows the password.
  if (user.disabledMs !== null) throw new DomainError('account_disabled')

  const verifiedHash = await renewHash(deps, user.key, passwordHash, password)
  const started = { origin, verifiedHash }
  return { user, token: await startSession(deps, user.key, presentedToken, started) }
}

/** Everything that can't be a username becomes the empty string, so it counts as one in the throttle. */
function foldTyped(username: string): string {
  const trimmed = username.trim()
  return usernamePattern.test(trimmed) ? foldUsername(trimmed) : ''
}

async function renewHash(
  { store, passwordHasher }: SignInDeps,
  userKey: number,
  from: string,
  password: string,
): Promise<string> {
  if (!passwordHasher.needsRehash(from)) return from
  const to = await passwordHasher.hash(password)
  await store.renewPasswordHash(userKey, from, to)
  return to
}

/** Costs the same for an unknown username. @throws DomainError `invalid_input`, `rate_limited`, `overloaded` */
async function verifyPassword(
  { store, passwordHasher, throttle }: VerifyDeps,
  foldedUsername: string,
  password: string,
  address: string | null,
) {
  const length = codePointLength(password)
  if (length === 0 || length > passwordMaxLength || !password.isWellFormed()) {
    throw new DomainError('invalid_input')
  }
  if (address !== null) throttle.admit(address, foldedUsername)
  const user = await store.findUser(foldedUsername)
  const passwordHash = user?.passwordHash ?? null
  const isRight = await passwordHasher.verify(passwordHash, password)
  // After the hash, so that a full hash queue is reported without this delay.
  if (address !== null) await throttle.slowDown(foldedUsername)
  if (isRight) return { user, passwordHash }
  if (address !== null) throttle.recordFailure(foldedUsername)
  return { user, passwordHash: null }
}

/** An unattended browser or a stolen cookie is not enough. @throws DomainError `wrong_password` */
export async function confirmPassword(
  deps: VerifyDeps,
  owner: Pick<UserCaller, 'userKey' | 'username'>,
  password: string,
  address: string | null,
): Promise<string> {
  const username = foldUsername(owner.username)
  const { user, passwordHash } = await verifyPassword(deps, username, password, address)
  if (passwordHash !== null && user?.key === owner.userKey) return passwordHash
  // Somebody else may have the username by now, whose password must not be tried here freely.
  if (passwordHash !== null && address !== null) deps.throttle.recordFailure(username)
  throw new DomainError('wrong_password')
}

const demoLifeMs = 24 * 3_600_000
/** Of demo usernames, without characters that look alike. */
const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const suffixLength = 6
/** There are 31^6 names, so even a second collision suggests that something else is wrong. */
const maxDemoNames = 5

interface SignInDemoDeps extends Pick<AccountsParts, 'store' | 'clock'> {
  readonly makeUsername?: () => string
}

export async function signInDemo(
  deps: SignInDemoDeps,
  presentedToken: string | undefined,
  origin?: SessionOrigin,
) {
  const user = await insertDemoUser(deps)
  return { user, token: await startSession(deps, user.key, presentedToken, { origin }) }
}

async function insertDemoUser({ store, clock, makeUsername = randomDemoUsername }: SignInDemoDeps) {
  const createdMs = clock()
  const demo = { passwordHash: null, isDemo: true, createdMs, expiresMs: createdMs + demoLifeMs }
  for (let names = 1; ; names += 1) {
    try {
      return await store.insertUser({ ...demo, username: makeUsername() })
    } catch (error) {
      if (!(error instanceof UniqueViolation) || names === maxDemoNames) throw error
    }
  }
}

function randomDemoUsername(): string {
  const suffix = Array.from({ length: suffixLength }, () => letters[randomInt(letters.length)])
  return `demo-${suffix.join('')}`
}
