import { sessionHeartbeat, tokenHeartbeat, type ReportStatus } from '@astropelago/contract/devices'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { DomainError } from '../../domain-error.ts'
import type { Serve } from '../../http/serve-route.ts'
import { heartbeatText, isPlainText } from './reports/heartbeat-text.ts'
import type { SaidReport } from './reports/device-reports-store.ts'

interface PresenceRoutesOptions {
  readonly serve: Serve
  /** Resolves when the heartbeat is durable. */
  readonly heartbeat: (deviceKey: number) => Promise<void>
  /** Resolves when a device's report is taken. */
  readonly say: (report: Omit<SaidReport, 'atMs'>) => Promise<void>
  /** The key of the user's own device with this id. */
  readonly findOwnDeviceKey: (userKey: number, id: string) => Promise<number | undefined>
  readonly noteTokenUse: (tokenKey: number) => void
}

export async function presenceRoutes(app: FastifyInstance, options: PresenceRoutesOptions) {
  const { serve, heartbeat, say, findOwnDeviceKey, noteTokenUse } = options
  // Devices post whatever their tool sends by default. Accept any content type, none, and bodies that
  // Fastify would refuse to parse. Plain text is kept for the owner, everything else is dropped.
  const withText = new WeakSet<FastifyRequest>()
  app.addHook('onRequest', async (request) => {
    if (isPlainText(request.headers['content-type'])) withText.add(request)
    delete request.headers['content-type']
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    '*',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) =>
      withText.has(request) ? heartbeatText(body) : undefined,
  )

  const report = async (deviceKey: number, status?: ReportStatus, text?: string | null) => {
    await heartbeat(deviceKey)
    if (status === undefined && typeof text !== 'string') return
    await say({ deviceKey, status: status ?? 'ok', text: text ?? null })
  }

  serve(
    app,
    sessionHeartbeat,
    async ({ user, query, body }) => {
      const deviceKey = await findOwnDeviceKey(user.userKey, query.id)
      if (deviceKey === undefined) throw new DomainError('not_found')
      await report(deviceKey, query.status, body)
      return { status: 204 }
    },
    { isQuiet: true },
  )

  serve(
    app,
    tokenHeartbeat,
    async ({ device, query, body }) => {
      await report(device.deviceKey, query.status, body)
      noteTokenUse(device.tokenKey)
      return { status: 204 }
    },
    { isQuiet: true },
  )
}
