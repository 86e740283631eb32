import { startPostgresServers } from './postgres-servers.ts'
import { openServerDesk } from './server-desk.ts'
import { deskVariable } from './shared-server.ts'
import { startServer } from './start-server.ts'

const readmeVariable = 'README_SERVER_URL'
const postgresVariable = 'POSTGRES_SERVERS_URL'
/** A device goes offline before a test's eyes. */
const settings = { ONLINE_WINDOW_S: '2' }

/**
 * Starts the product by the README's command, once and before any test: it builds the web app,
 * and no page may be open on a build that is being replaced.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const readme = await startServer({
    command: ['npm', 'start'],
    settings,
  })
  const onPostgres = await startPostgresServers(settings)
  const desk = await openServerDesk()
  process.env[readmeVariable] = readme.url
  process.env[postgresVariable] = onPostgres.url
  process.env[deskVariable] = desk.url
  return async () => {
    await desk.stop()
    await onPostgres.stop()
    await readme.stop()
  }
}

/** Where the product is that the README's command started, with a window of 2 s. */
export function readmeUrl(): string {
  return urlIn(readmeVariable)
}

/** Where two servers share a PostgreSQL, with a window of 2 s. */
export function postgresServersUrl(): string {
  return urlIn(postgresVariable)
}

function urlIn(variable: string): string {
  const url = process.env[variable]
  if (url === undefined) throw new Error(`${variable} is not set: the global setup did not run`)
  return url
}
