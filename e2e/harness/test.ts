import { test as base, expect } from '@playwright/test'
import { register, type Credentials } from '@astropelago/contract/accounts'
import { newCredentials } from './new-credentials.ts'
import { ProblemLog } from './problem-log.ts'
import { type RunningServer, startServer } from './start-server.ts'

interface TestFixtures {
  /** Fails the test on anything that the browser complains about. */
  readonly problems: ProblemLog
  /** A user who is signed in, without the form: `page` carries the session's cookie. */
  readonly user: Credentials
}

interface WorkerFixtures {
  /** Settings of the server; a file that changes them gets a server of its own. */
  readonly serverSettings: Readonly<Record<string, string>>
  /** The real server that the worker's tests share; each test makes its own users on it. */
  readonly server: RunningServer
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  serverSettings: [{}, { option: true, scope: 'worker' }],

  server: [
    async ({ serverSettings }, provide) => {
      const server = await startServer({ settings: serverSettings })
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
})

export { expect }
