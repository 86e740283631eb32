import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { seedDataDir, type SignedInUser } from '../../apps/server/src/test/seed-data-dir.ts'
import { buildWeb, type WebBuild } from './build-web.ts'
import { clusteredDevices } from './clustered-devices.ts'
import { ServerWish } from './shared-server.ts'
import { type RunningServer, startServer } from './start-server.ts'

/** Each test takes one. There are far fewer tests. */
const usersPerServer = 2000
/** A day, so that no seeded device changes its status during a test. */
const seededWindow = { ONLINE_WINDOW_S: '86400' }

interface SeededServer extends RunningServer {
  readonly users: SignedInUser[]
}

/**
 * Starts servers for the test workers, which ask over HTTP, when a test first needs each one. The servers
 * outlive the workers, since Playwright starts new workers after each failure and for each project.
 */
export async function openServerDesk(): Promise<RunningServer> {
  const builds = new Map<string, Promise<WebBuild>>()
  const servers = new Map<string, Promise<SeededServer>>()

  const shared = (wish: ServerWish) =>
    onceFor(servers, wish, async () => {
      const { buildSettings } = wish
      if (Object.keys(buildSettings).length === 0) return await startShared(wish)
      const { webDir } = await onceFor(builds, buildSettings, () => buildWeb(buildSettings))
      return await startShared(wish, { WEB_DIR: webDir })
    })

  const answer = async (wish: string): Promise<string> => {
    const { url, users } = await shared(v.parse(ServerWish, JSON.parse(wish)))
    return JSON.stringify({ url, user: users.pop() })
  }
  const desk = createServer((request, response) => {
    text(request)
      .then(answer)
      .then(
        (given) => response.end(given),
        (error: unknown) => response.writeHead(500).end(String(error)),
      )
  })
  desk.listen(0, '127.0.0.1')
  await once(desk, 'listening')
  const address = desk.address()
  if (address === null || typeof address === 'string') throw new Error('No port was given')
  return {
    url: `http://127.0.0.1:${address.port}`,
    stop: async () => {
      desk.closeAllConnections()
      desk.close()
      for (const server of await made(servers)) await server.stop()
      for (const build of await made(builds)) await build.remove()
    },
  }
}

async function startShared(
  { serverSettings, seed }: ServerWish,
  web: Readonly<Record<string, string>> = {},
): Promise<SeededServer> {
  let users: SignedInUser[] = []
  const server = await startServer({
    settings: { ...(seed && seededWindow), ...serverSettings, ...web },
    prepareData: async (dataDir) => {
      const devices =
        typeof seed?.devices === 'number' ? clusteredDevices(seed.devices) : seed?.devices
      users = await seedDataDir(dataDir, {
        ...(devices && { devices }),
        signedInUsers: usersPerServer,
      })
    },
  })
  return { ...server, users }
}

/** Makes one thing for each key. Callers that ask meanwhile wait for it. */
function onceFor<T>(making: Map<string, Promise<T>>, key: unknown, make: () => Promise<T>) {
  const name = JSON.stringify(key)
  const begun = making.get(name) ?? make()
  making.set(name, begun)
  return begun
}

/** Everything that was made. Failures have already been reported to the caller. */
async function made<T>(making: ReadonlyMap<string, Promise<T>>): Promise<T[]> {
  const outcomes = await Promise.allSettled(making.values())
  return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
}
