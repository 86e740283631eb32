import { openServerDesk } from './server-desk.ts'
import { deskVariable } from './shared-server.ts'
import { startServer } from './start-server.ts'

const readmeVariable = 'README_SERVER_URL'
/** Short enough for a test to see a device go offline. */
export const shortWindow = { ONLINE_WINDOW_S: '2' }

/**
 * Starts the product with the README's command, once and before any test. It rebuilds the web app if that
 * has changed, so no page may be open on the old build.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  const readme = await startServer({
    command: ['npm', 'start'],
    settings: shortWindow,
  })
  const desk = await openServerDesk()
  process.env[readmeVariable] = readme.url
  process.env[deskVariable] = desk.url
  return async () => {
    await desk.stop()
    await readme.stop()
  }
}

/** The URL of the product started with the README's command, with a window of 2 s. */
export function readmeUrl(): string {
  const url = process.env[readmeVariable]
  if (url === undefined) throw new Error(`${readmeVariable} is not set: is there a global setup?`)
  return url
}
