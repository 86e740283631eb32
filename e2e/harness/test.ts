import type { Credentials } from '@astropelago/contract/accounts'
import { hintCookie } from '@astropelago/contract/me'
import { test as base, expect } from '@playwright/test'
import { createSessionCookie } from '../../apps/server/src/features/accounts/session-cookie.ts'
import { ProblemLog } from './problem-log.ts'
import { askForServer, type ServerWish, type SharedServer } from './shared-server.ts'
import { type ThrowawayHome, throwawayHome } from './throwaway-home.ts'

interface TestFixtures extends ServerWish {
  /** A real server, shared with all tests that need the same one. Each test makes its own data. */
  readonly server: SharedServer
  /** Fails the test if the browser reports a problem. */
  readonly problems: ProblemLog
  /** A user who is signed in without the form: `page` has the session's cookie. */
  readonly user: Credentials
  /** A home folder in which to run the commands that pages show. */
  readonly home: ThrowawayHome
}

export const test = base.extend<TestFixtures>({
  buildSettings: [{}, { option: true }],
  serverSettings: [{}, { option: true }],
  // In an object, because Playwright takes a bare array for a fixture with options.
  seed: [undefined, { option: true }],

  server: [
    async ({ buildSettings, serverSettings, seed }, provide) => {
      await provide(await askForServer({ buildSettings, serverSettings, seed }))
    },
    // The first test with a build waits for the whole build, on a machine that is busy with tests.
    { timeout: 120_000 },
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

  user: async ({ context, server }, provide) => {
    const { url, user } = server
    await context.addCookies([
      { name: createSessionCookie(url).name, value: user.sessionToken, url, httpOnly: true },
      { name: hintCookie, value: '1', url },
    ])
    await provide(user)
  },

  // It needs no other fixture, but Playwright requires a destructuring pattern here.
  home: async ({ problems: _problems }, provide) => {
    const home = await throwawayHome()
    await provide(home)
    await home.remove()
  },
})

export { expect }
