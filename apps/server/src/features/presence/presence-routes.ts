import { sessionHeartbeat, tokenHeartbeat } from '@astropelago/contract/devices'
import type { FastifyInstance } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'

/** A heartbeat says nothing but that it came; what a client sends along is read and dropped. */
const heartbeatBodyMaxBytes = 1024

interface PresenceRoutesOptions {
  readonly serve: Serve
  /** Resolves when the heartbeat is durable. */
  readonly heartbeat: (deviceKey: number) => Promise<void>
  /** The key of the user's own device with this id. */
  readonly findOwnDeviceKey: (userKey: number, id: string) => Promise<number | undefined>
  readonly noteTokenUse: (tokenKey: number) => void
}

export async function presenceRoutes(app: FastifyInstance, options: PresenceRoutesOptions) {
  const { serve, heartbeat, findOwnDeviceKey, noteTokenUse } = options
  // Devices post whatever their tool sends by default: any content type will do, none too, and one
  // that can't be parsed, which Fastify would refuse.
  app.addHook('onRequest', async ({ headers }) => {
    delete headers['content-type']
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async () => undefined)

  serve(
    app,
    sessionHeartbeat,
    async ({ user, query }) => {
      const deviceKey = await findOwnDeviceKey(user.userKey, query.id)
      if (deviceKey === undefined) throw new DomainError('not_found')
      await heartbeat(deviceKey)
      return { status: 204 }
    },
    { bodyLimit: heartbeatBodyMaxBytes, isQuiet: true },
  )

  serve(
    app,
    tokenHeartbeat,
    async ({ device }) => {
      await heartbeat(device.deviceKey)
      noteTokenUse(device.tokenKey)
      return { status: 204 }
    },
    { bodyLimit: heartbeatBodyMaxBytes, isQuiet: true },
  )
}
