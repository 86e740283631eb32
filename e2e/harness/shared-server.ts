import { PublicDevice } from '@astropelago/contract/devices'
import * as v from 'valibot'

/** The variable in which the global setup passes on the server desk's URL. */
export const deskVariable = 'SERVER_DESK_URL'

const Settings = v.record(v.string(), v.string())

/** The server that a test needs. Tests with the same wish share one. */
export const ServerWish = v.object({
  /** VITE_ settings. With any, the server serves a build of the web app made with them. */
  buildSettings: Settings,
  serverSettings: Settings,
  /** The public devices to start with, or how many. */
  seed: v.optional(
    v.object({ devices: v.union([v.number(), v.pipe(v.array(PublicDevice), v.readonly())]) }),
  ),
})
export type ServerWish = v.InferOutput<typeof ServerWish>

/** A server, and a signed-in user on it that no other test gets. */
const SharedServer = v.object({
  url: v.string(),
  user: v.object({ username: v.string(), password: v.string(), sessionToken: v.string() }),
})
export type SharedServer = v.InferOutput<typeof SharedServer>

export async function askForServer(wish: ServerWish): Promise<SharedServer> {
  const deskUrl = process.env[deskVariable]
  if (deskUrl === undefined) throw new Error(`${deskVariable} is not set: is there a global setup?`)
  const answer = await fetch(deskUrl, { method: 'POST', body: JSON.stringify(wish) })
  if (!answer.ok) throw new Error(await answer.text())
  return v.parse(SharedServer, await answer.json())
}
