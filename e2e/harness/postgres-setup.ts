import { openLoadBalancer } from '../../apps/server/src/test/load-balancer.ts'
import { startTestPostgres } from '../../apps/server/src/test/test-postgres.ts'
import { shortWindow } from './global-setup.ts'
import { startServer } from './start-server.ts'

const urlVariable = 'POSTGRES_SERVERS_URL'

/** Starts two servers on one PostgreSQL, behind a load balancer at their public address. */
export default async function setUp(): Promise<() => Promise<void>> {
  const postgres = await startTestPostgres()
  const urls: string[] = []
  const { url, close } = await openLoadBalancer(() => urls)
  const settings = { ...shortWindow, DATABASE_URL: postgres.url, PUBLIC_URL: url }
  const servers = [await startServer({ settings }), await startServer({ settings })]
  urls.push(...servers.map((server) => server.url))
  process.env[urlVariable] = url
  return async () => {
    close()
    for (const server of servers) await server.stop()
    await postgres.remove()
  }
}

/** The public URL of these two servers, with a window of 2 s. */
export function postgresServersUrl(): string {
  const url = process.env[urlVariable]
  if (url === undefined) throw new Error(`${urlVariable} is not set: is this a long test?`)
  return url
}
