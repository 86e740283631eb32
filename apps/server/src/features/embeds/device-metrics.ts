import type { ReportStatus, Status } from '@astropelago/contract/devices'
import { readDeviceMetrics } from '@astropelago/contract/embeds'
import type { FastifyInstance } from 'fastify'
import type { Serve } from '../../http/serve-route.ts'
import type { DevicesFeature } from '../devices/public.ts'
import type { PresenceFeature } from '../presence/public.ts'

/** The text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/ */
const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

interface MeasuredDevice {
  readonly id: string
  readonly label: string
  readonly status: Status
  readonly lastSeenMs: number | null
  readonly reported: ReportStatus | undefined
}

const figures = [
  {
    name: 'astropelago_device_up',
    help: 'Whether the device is online',
    valueOf: ({ status }: MeasuredDevice) => Number(status === 'online'),
  },
  {
    name: 'astropelago_device_last_seen_timestamp_seconds',
    help: 'When the device last reported; none for one that never did',
    valueOf: ({ lastSeenMs }: MeasuredDevice) =>
      lastSeenMs === null ? undefined : lastSeenMs / 1000,
  },
  {
    name: 'astropelago_device_warning',
    help: 'Whether the device says that something fails',
    valueOf: ({ reported }: MeasuredDevice) => Number(reported === 'fail'),
  },
]

interface DeviceMetricsParts extends Pick<PresenceFeature, 'presence' | 'reports'> {
  readonly serve: Serve
  readonly devices: Pick<DevicesFeature, 'listOwn'>
}

export function deviceMetrics(app: FastifyInstance, parts: DeviceMetricsParts): void {
  const { serve, devices, presence, reports } = parts
  serve(app, readDeviceMetrics, async ({ user, reply }) => {
    const own = await devices.listOwn(user.userKey)
    const read = await reports.read(own.map(({ key }) => key))
    const statuses = new Map(read.map(({ deviceKey, status }) => [deviceKey, status]))
    const measured = own.map(({ key, id, label }) => ({
      id,
      label,
      status: presence.status(key),
      lastSeenMs: presence.lastSeenMs(key),
      reported: statuses.get(key),
    }))
    reply.type(metricsType).send(figures.map((figure) => writeFigure(figure, measured)).join(''))
    return undefined
  })
}

function writeFigure(
  { name, help, valueOf }: (typeof figures)[number],
  devices: readonly MeasuredDevice[],
): string {
  const lines = [`# HELP ${name} ${help}\n# TYPE ${name} gauge\n`]
  for (const device of devices) {
    const value = valueOf(device)
    if (value === undefined) continue
    lines.push(`${name}{id="${escaped(device.id)}",label="${escaped(device.label)}"} ${value}\n`)
  }
  return lines.join('')
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
