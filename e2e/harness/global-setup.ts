import { openServerDesk } from './server-desk.ts'
import { deskVariable } from './shared-server.ts'
import { startServer } from './start-server.ts'

const readmeVariable = 'README_SERVER_URL'
/** A device goes offline before a test's eyes. */
export const shortWindow = { ONLINE_WINDOW_S: '2' }

/**
 * Starts the product by the README's command, once and before any test: it builds the web app where
 * that has changed, and no page may be open on a build that is being replaced.
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

/** Where the product is that the README's command started, with a window of 2 s. */
export function readmeUrl(): string {
  const url = process.env[readmeVariable]
  if (url === undefined) throw new Error(`${readmeVariable} is not set: is there a global setup?`)
  return url
}
