import { type RunningServer, startServer } from './start-server.ts'

const variable = 'README_SERVER_URL'

/**
 * Starts the product by the README's command, once and before any test: it builds the web app,
 * and no page may be open on a build that is being replaced.
 */
export default async function startReadmeServer(): Promise<() => Promise<void>> {
  const server = await startServer({
    command: ['npm', 'start'],
    settings: { ONLINE_WINDOW_S: '2' },
  })
  process.env[variable] = server.url
  return server.stop
}

/** The product as the README's command started it, with a window of 2 s; the setup ends it. */
export function readmeServer(): RunningServer {
  const url = process.env[variable]
  if (url === undefined) throw new Error(`${variable} is not set: the global setup did not run`)
  return { url, stop: () => Promise.resolve() }
}
