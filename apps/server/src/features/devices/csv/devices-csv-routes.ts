import { isUtf8 } from 'node:buffer'
import {
  exportDevices as exportDevicesRoute,
  importDevices as importDevicesRoute,
} from '@astropelago/contract/devices-csv'
import { importMaxBytes } from '@astropelago/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { actorOf, type AuditLog } from '../../../audit-log.ts'
import type { Clock } from '../../../clock.ts'
import { DomainError } from '../../../domain-error.ts'
import type { Serve } from '../../../http/serve-route.ts'
import type { DeviceLimit } from '../device-limit.ts'
import type { DevicePresence } from '../device-presence.ts'
import type { DevicesStore } from '../devices-store.ts'
import { exportDevices } from './export-devices.ts'
import { importDevices } from './import-devices.ts'

export interface DevicesCsvRoutesOptions {
  readonly serve: Serve
  readonly store: DevicesStore
  readonly clock: Clock
  readonly presence: DevicePresence
  readonly limitOf: DeviceLimit
  readonly audit: Pick<AuditLog, 'note'>
  /** Counts a user's import. Throws if there were too many. */
  readonly limitImports: (userKey: number) => void
}

/** Register it in its own scope: no other route accepts CSV. */
export async function devicesCsvRoutes(app: FastifyInstance, options: DevicesCsvRoutesOptions) {
  const { serve, store, clock, presence, limitOf, audit, limitImports } = options
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'text/csv',
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => {
      if (!isUtf8(body)) throw new DomainError('invalid_input')
      return body.toString()
    },
  )

  serve(app, exportDevicesRoute, async ({ user, reply }) => {
    const text = await exportDevices(await store.listOwn(user.userKey), presence)
    reply
      .type('text/csv; charset=utf-8; header=present')
      .header('content-disposition', 'attachment; filename="devices.csv"')
      .send(text)
    return undefined
  })

  serve(
    app,
    importDevicesRoute,
    async ({ user, query, body, request }) => {
      const withTokens = query.tokens === 'true'
      const report = await importDevices(
        { store, clock },
        {
          userKey: user.userKey,
          limit: limitOf(user),
          text: body,
          isDryRun: query.dryRun === 'true',
          withTokens,
          precision: query.precision,
        },
      )
      if (report.isDryRun) return { status: 200, body: report }
      const { created, updated } = report
      const apiKey = user.apiKeyId ?? null
      request.log.info({ event: 'devices_imported', created, updated, apiKey }, 'devices imported')
      if (withTokens && created > 0) {
        await audit.note({
          actor: actorOf(user),
          action: 'token.created',
          subject: `user:${user.username}`,
          details: { tokens: created, apiKey },
        })
      }
      return { status: 200, body: report }
    },
    { bodyLimit: importMaxBytes, refuseCaller: ({ user }) => limitImports(user.userKey) },
  )
}
