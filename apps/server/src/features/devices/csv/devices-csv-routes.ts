import { isUtf8 } from 'node:buffer'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import type { DeviceSchedule } from '@astropelago/contract/device-schedules'
import {
  exportDevices as exportDevicesRoute,
  exportedColumns,
  importDevices as importDevicesRoute,
} from '@astropelago/contract/devices-csv'
import { importMaxBytes } from '@astropelago/contract/limits'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { auditUser, userSubject } from '../../../audit-log.ts'
import { DomainError } from '../../../domain-error.ts'
import { isoTime } from '../../../iso-time.ts'
import type { DevicesRoutesOptions } from '../devices-routes.ts'
import type { DeviceRecord } from '../devices-store.ts'
import { presentSchedule } from '../present-device.ts'
import { csvRecord } from './csv.ts'
import { importDevices, type DeviceImportsStore } from './import-devices.ts'

const columns = ['id', 'label', 'lat', 'lon', 'link', 'visibility', 'precision'] as const
const scheduleColumns = ['period_s', 'cron', 'time_zone', 'grace_s'] as const
const exportedPerTurn = 250

type DevicesCsvRoutesOptions = Pick<
  DevicesRoutesOptions,
  'serve' | 'store' | 'presence' | 'reports' | 'limitOf' | 'audit' | 'clock'
> & {
  readonly imports: DeviceImportsStore
  readonly limitImports: (userKey: number) => void
}

/** Register it in its own scope: no other route accepts CSV. */
export async function devicesCsvRoutes(app: FastifyInstance, options: DevicesCsvRoutesOptions) {
  const { serve, store, imports, clock, presence, reports, limitOf, audit, limitImports } = options
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
    const text = await exportDevices(await store.listOwn(user.userKey), { presence, reports })
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
        { store, imports, clock },
        {
          userKey: user.userKey,
          limit: limitOf(user),
          mayShare: !user.isDemo,
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
        const details = { tokens: created, apiKey }
        await auditUser(audit, user, 'token.created', userSubject(user.username), details)
      }
      return { status: 200, body: report }
    },
    { bodyLimit: importMaxBytes, refuseCaller: ({ user }) => limitImports(user.userKey) },
  )
}

async function exportDevices(
  devices: readonly DeviceRecord[],
  { presence, reports }: Pick<DevicesCsvRoutesOptions, 'presence' | 'reports'>,
): Promise<string> {
  const read = await reports.read(devices.map(({ key }) => key))
  const reportOf = new Map(read.map((report) => [report.deviceKey, report]))
  let text = csvRecord([...columns, 'shared', ...scheduleColumns, ...exportedColumns])
  for (const [at, device] of devices.entries()) {
    text += csvRecord([
      ...columns.map((column) => device[column]),
      String(device.isShared === 1),
      ...scheduleCells(presentSchedule(device.schedule)),
      presence.status(device.key),
      isoTime(presence.lastSeenMs(device.key)),
      isoTime(device.createdMs),
      reportOf.get(device.key)?.exitCode ?? null,
      reportOf.get(device.key)?.durationMs ?? null,
    ])
    if (at % exportedPerTurn === exportedPerTurn - 1) await endOfTurn()
  }
  return text
}

function scheduleCells(schedule: DeviceSchedule | null) {
  if (schedule === null) return ['', '', '', '']
  const { graceS } = schedule
  return schedule.kind === 'period'
    ? [schedule.periodS, '', '', graceS]
    : ['', schedule.expression, schedule.timeZone, graceS]
}
