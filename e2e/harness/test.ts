import type { Credentials } from '@astropelago/contract/accounts'
import { hintCookie } from '@astropelago/contract/me'
import { test as base, expect } from '@playwright/test'
import { createSessionCookie } from '../../apps/server/src/features/accounts/session-cookie.ts'
import { ProblemLog } from './problem-log.ts'
import { askForServer, type ServerWish, type SharedServer } from './shared-server.ts'
import { type ThrowawayHome, throwawayHome } from './throwaway-home.ts'

interface TestFixtures extends ServerWish {
  /** The real server of the test, shared with all that ask for the same; each makes its own data. */
  readonly server: SharedServer
  /** Fails the test on anything that the browser complains about. */
  readonly problems: ProblemLog
  /** A user who is signed in, without the form: `page` carries the session's cookie. */
  readonly user: Credentials
  /** Where the commands that pages show are run. */
  readonly home: ThrowawayHome
}

export const test = base.extend<TestFixtures>({
  buildSettings: [{}, { option: true }],
  serverSettings: [{}, { option: true }],
  // In an object, since Playwright takes a bare array for something else.
  seed: [undefined, { option: true }],

  server: [
    async ({ buildSettings, serverSettings, seed }, provide) => {
      await provide(await askForServer({ buildSettings, serverSettings, seed }))
    },
    // The first of a build's tests waits for a whole build, on a machine that tests keep busy.
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

  // It needs no other fixture, but Playwright reads their names from a pattern here.
  home: async ({ problems: _problems }, provide) => {
    const home = await throwawayHome()
    await provide(home)
    await home.remove()
  },
})

export { expect }
