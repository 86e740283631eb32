import { randomUUID } from 'node:crypto'
import { hintCookie } from '@astropelago/contract/me'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { onTestFinished, vi } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig, type Config } from '../config.ts'
import { createPasswordHasher } from '../features/accounts/password-hasher.ts'
import { createSessionCookie } from '../features/accounts/session-cookie.ts'
import { sqlAccountsStore } from '../features/accounts/sql-accounts-store.ts'
import { startSession } from '../features/accounts/start-session.ts'
import type { AdminSocket } from '../http/admin-socket.ts'
import type { Storage } from '../storage/storage.ts'
import { testPassword } from './factories.ts'
import { movableClock, type MovableClock } from './movable-clock.ts'
import { openTestStorage, type WhenOver } from './open-test-storage.ts'

/** Sends requests like one browser, with the cookies that it was given. */
export interface TestBrowser {
  readonly username: string
  readonly cookies: Readonly<Record<string, string>>
  readonly inject: (options: InjectOptions) => Promise<LightMyRequestResponse>
}

export interface TestApp {
  readonly app: FastifyInstance
  readonly clock: MovableClock
  readonly storage: Storage
  /** Every log line so far, as text. */
  readonly logged: () => string
  /** Sends a request without a cookie. */
  readonly inject: (options: InjectOptions) => Promise<LightMyRequestResponse>
  /** Makes a new user, without the slow hash of registering, and returns the user's signed-in browser. */
  readonly signUp: (username?: string) => Promise<TestBrowser>
}

/** One hash of the password is enough for all users. */
let passwordHash: Promise<string> | undefined

export interface TestAppOptions {
  readonly config?: Partial<Config>
  readonly webDir?: string
  readonly storage?: Storage
  readonly clock?: MovableClock
  readonly adminSocket?: AdminSocket
  readonly makesLounge?: boolean
}

const noOptions: TestAppOptions = {}
/** The servers that the tests of this file share, by the options that made them. */
const shared = new Map<TestAppOptions, Promise<TestApp>>()
const undoShared: (() => Promise<void>)[] = []

/**
 * Builds a whole server over a real, empty database, with a clock that the test moves. Without options, all
 * tests of a file share one server: each makes its own users and counts only what is theirs.
 */
export function createTestApp(options?: TestAppOptions): Promise<TestApp> {
  return options === undefined ? shareTestApp(noOptions) : buildTestApp(options, onTestFinished)
}

/**
 * Stops timers until the end of a test. Call it before the test builds its server and moves the clock far: a
 * server that ticks right after such a jump takes it for time asleep, in which no device goes offline.
 */
export function stopTicks(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Builds one server for all tests of a file that call this with the same object. */
export function shareTestApp(options: TestAppOptions): Promise<TestApp> {
  const known = shared.get(options)
  if (known !== undefined) return known
  const built = buildTestApp(options, (undo) => void undoShared.push(undo))
  shared.set(options, built)
  return built
}

/** Closes the servers that the tests of a file shared. The set-up of each file calls this. */
export async function closeSharedTestApp(): Promise<void> {
  shared.clear()
  for (const undo of undoShared.splice(0).toReversed()) await undo()
}

async function buildTestApp(options: TestAppOptions, whenOver: WhenOver): Promise<TestApp> {
  const storage = options.storage ?? (await openTestStorage(undefined, whenOver))
  const clock = options.clock ?? movableClock()
  const lines: string[] = []
  const config = {
    ...readConfig({ LIMIT_EXEMPT: '127.0.0.1', CHECK_CONTROL_TARGETS: 'off' }),
    hasPublicUrl: true,
    ...options.config,
  }
  const store = sqlAccountsStore(storage)
  const app = await buildApp({
    config,
    storage,
    clock: clock.now,
    log: pino({}, { write: (line) => lines.push(line) }),
    webDir: options.webDir,
    ...(options.adminSocket && { adminSocket: options.adminSocket }),
    ...(options.makesLounge && { makesLounge: true }),
  })
  whenOver(() => app.close())
  const inject = (request: InjectOptions) => app.inject(request)

  return {
    app,
    clock,
    storage,
    logged: () => lines.join(''),
    inject,
    signUp: async (username = `user-${randomUUID().slice(0, 8)}`) => {
      passwordHash ??= createPasswordHasher().hash(testPassword)
      const { key } = await store.insertUser({
        username,
        passwordHash: await passwordHash,
        isDemo: false,
        createdMs: clock.now(),
        expiresMs: null,
      })
      const token = await startSession({ store, clock: clock.now }, key, undefined)
      const cookies = { [createSessionCookie(config.publicUrl).name]: token, [hintCookie]: '1' }
      return { username, cookies, inject: (request) => inject({ ...request, cookies }) }
    },
  }
}
