import { randomUUID } from 'node:crypto'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig, type Config } from '../config.ts'
import type { Storage } from '../storage/storage.ts'
import { movableClock, type MovableClock } from './movable-clock.ts'
import { openTestStorage } from './open-test-storage.ts'

/** Sends requests as one browser does: with the cookies it was given. */
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
  /** A request without a cookie. */
  readonly inject: (options: InjectOptions) => Promise<LightMyRequestResponse>
  /** Registers a user through the API and returns its browser. */
  readonly signUp: (username?: string) => Promise<TestBrowser>
}

export const testPassword = 'correct horse battery'

export interface TestAppOptions {
  readonly config?: Partial<Config>
  readonly webDir?: string
  readonly storage?: Storage
  readonly clock?: MovableClock
}

/** The whole server over a real database of its own, with a clock that the test moves. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const storage = options.storage ?? (await openTestStorage())
  const clock = options.clock ?? movableClock()
  const lines: string[] = []
  const app = await buildApp({
    config: { ...readConfig({ LIMIT_EXEMPT: '127.0.0.1' }), ...options.config },
    storage,
    clock: clock.now,
    log: pino({}, { write: (line) => lines.push(line) }),
    webDir: options.webDir,
  })
  onTestFinished(() => app.close())
  const inject = (request: InjectOptions) => app.inject(request)

  return {
    app,
    clock,
    storage,
    logged: () => lines.join(''),
    inject,
    signUp: async (username = `user-${randomUUID().slice(0, 8)}`) => {
      const response = await inject({
        method: 'POST',
        url: '/api/auth/register',
        payload: { username, password: testPassword },
      })
      if (response.statusCode !== 201) throw new Error(`Registering failed: ${response.body}`)
      const cookies = Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]))
      return { username, cookies, inject: (request) => inject({ ...request, cookies }) }
    },
  }
}
