import { test as base, expect } from '@playwright/test'
import { register, type Credentials } from '@astropelago/contract/accounts'
import type { PublicDevice } from '@astropelago/contract/devices'
import { buildWeb } from './build-web.ts'
import { newCredentials } from './new-credentials.ts'
import { ProblemLog } from './problem-log.ts'
import { seededServer } from './seeded-server.ts'
import { type RunningServer, startServer } from './start-server.ts'
import { type ThrowawayHome, throwawayHome } from './throwaway-home.ts'

interface TestFixtures {
  /** Fails the test on anything that the browser complains about. */
  readonly problems: ProblemLog
  /** A user who is signed in, without the form: `page` carries the session's cookie. */
  readonly user: Credentials
  /** Where the commands that pages show are run. */
  readonly home: ThrowawayHome
}

interface WorkerFixtures {
  /** VITE_ settings; a file that names some gets a build of the web app with them. */
  readonly buildSettings: Readonly<Record<string, string>>
  /** The build that the server serves; undefined for the one that all tests share. */
  readonly webDir: string | undefined
  /** Settings of the server; a file that changes them gets a server of its own. */
  readonly serverSettings: Readonly<Record<string, string>>
  /**
   * Public devices that the server has from the beginning, or how many; a file that names them gets
   * a server of its own. In an object, since Playwright takes a bare array for something else.
   */
  readonly seed: { readonly devices: readonly PublicDevice[] | number } | undefined
  /** The real server that the worker's tests share; each test makes its own users on it. */
  readonly server: RunningServer
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  buildSettings: [{}, { option: true, scope: 'worker' }],

  webDir: [
    async ({ buildSettings }, provide) => {
      if (Object.keys(buildSettings).length === 0) return await provide(undefined)
      const build = await buildWeb(buildSettings)
      await provide(build.webDir)
      await build.remove()
    },
    // A whole build, on a machine that tests keep busy.
    { scope: 'worker', timeout: 120_000 },
  ],

  serverSettings: [{}, { option: true, scope: 'worker' }],

  seed: [undefined, { option: true, scope: 'worker' }],

  server: [
    async ({ serverSettings, seed, webDir }, provide) => {
      const settings = { ...serverSettings, ...(webDir !== undefined && { WEB_DIR: webDir }) }
      const server = await (seed === undefined
        ? startServer({ settings })
        : seededServer(seed.devices, settings))
      await provide(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 30_000 },
  ],

  baseURL: async ({ server }, provide) => {
    await provide(server.url)
  },

  problems: [
    async ({ context }, provide) => {
      const problems = new ProblemLog()
      problems.watch(context)
      await provide(problems)
      expect(problems.report(), 'what the browser complained about').toEqual([])
    },
    { auto: true },
  ],

  user: async ({ context }, provide) => {
    const credentials = newCredentials()
    const answer = await context.request.post(register.path, { data: credentials })
    expect(answer.status()).toBe(201)
    await provide(credentials)
  },

  // It needs no other fixture, but Playwright reads their names from a pattern here.
  home: async ({ problems: _problems }, provide) => {
    const home = await throwawayHome()
    await provide(home)
    await home.remove()
  },
})

export { expect }
