import { openLoadBalancer } from '../../apps/server/src/test/load-balancer.ts'
import { startTestPostgres } from '../../apps/server/src/test/test-postgres.ts'
import { type RunningServer, startServer } from './start-server.ts'

/** Two servers on a PostgreSQL, behind a balancer at the address that people know. */
export async function startPostgresServers(
  settings: Readonly<Record<string, string>>,
): Promise<RunningServer> {
  const postgres = await startTestPostgres()
  const urls: string[] = []
  const { url, close } = await openLoadBalancer(() => urls)
  const ofBoth = { ...settings, DATABASE_URL: postgres.url, PUBLIC_URL: url }
  const servers = [await startServer({ settings: ofBoth }), await startServer({ settings: ofBoth })]
  urls.push(...servers.map((server) => server.url))
  return {
    url,
    stop: async () => {
      close()
      for (const server of servers) await server.stop()
      await postgres.remove()
    },
  }
}
