import { onTestFailed, onTestFinished } from 'vitest'
import { createTestApp, type TestApp } from '../../test/create-test-app.ts'
import { openCuttableProxy, type CuttableProxy } from '../../test/cuttable-proxy.ts'
import { openTestDatabase, shortLimits } from '../../test/open-test-storage.ts'
import { openPostgresStorage, type PostgresStorage } from '../../storage/postgres-storage.ts'
import type { Config } from '../../config.ts'

export interface TestServer extends TestApp {
  readonly url: string
  readonly storage: PostgresStorage
  /** Its connection to the database. */
  readonly proxy: CuttableProxy
  /** Why its process would have ended itself. */
  readonly fatal: () => Error | undefined
}

/** Servers that share a database, each with its own connection. The first one leads. */
export async function startCluster(
  size: number,
  config: Partial<Config> = {},
): Promise<{ readonly servers: readonly TestServer[]; readonly databaseUrl: string }> {
  const databaseUrl = await openTestDatabase()
  const servers: TestServer[] = []
  while (servers.length < size) servers.push(await startServer(databaseUrl, config))
  return { servers, databaseUrl }
}

/**
 * Adds a server on the same database.
 * @param port any free port by default
 */
export async function startServer(
  databaseUrl: string,
  config: Partial<Config> = {},
  port = 0,
): Promise<TestServer> {
  const url = new URL(databaseUrl)
  const proxy = await openCuttableProxy(Number(url.port))
  url.port = String(proxy.port)
  let fatal: Error | undefined
  const storage = await openPostgresStorage({
    databaseUrl: url.href,
    limits: shortLimits,
    onFatal: (error) => (fatal = error),
  })
  onTestFinished(async () => {
    proxy.mend()
    await storage.close()
  })
  const clock = { now: storage.instance.clock.now, move: () => undefined }
  const testApp = await createTestApp({ storage, clock, config })
  onTestFailed(() => void process.stderr.write(testApp.logged()))
  const listening = await testApp.app.listen({ host: '127.0.0.1', port })
  return { ...testApp, storage, proxy, url: listening, fatal: () => fatal }
}
