import type { ReportStatus, Status } from '@astropelago/contract/devices'
import { readDeviceMetrics } from '@astropelago/contract/embeds'
import type { FastifyInstance } from 'fastify'
import type { Serve } from '../../http/serve-route.ts'
import type { ChecksFeature } from '../checks/public.ts'
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

type MeasuredCheck = Awaited<ReturnType<ChecksFeature['shown']['listOwn']>>[number]

const deviceFigures = [
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

const checkFigures = [
  {
    name: 'astropelago_check_up',
    help: 'Whether the check is up; none while it is not observed',
    valueOf: ({ state }: MeasuredCheck) =>
      state === null || state.status === 'unobserved' ? undefined : Number(state.status === 'up'),
  },
  {
    name: 'astropelago_check_response_seconds',
    help: 'How long the last answer took; none if there was none',
    valueOf: ({ state }: MeasuredCheck) =>
      state === null || state.tookMs === null ? undefined : state.tookMs / 1000,
  },
]

interface DeviceMetricsParts extends Pick<PresenceFeature, 'presence' | 'reports'> {
  readonly serve: Serve
  readonly devices: Pick<DevicesFeature, 'listOwn'>
  readonly checks: Pick<ChecksFeature['shown'], 'listOwn'>
}

export function deviceMetrics(app: FastifyInstance, parts: DeviceMetricsParts): void {
  const { serve, devices, checks, presence, reports } = parts
  serve(app, readDeviceMetrics, async ({ user, reply }) => {
    const [own, ownChecks] = await Promise.all([
      devices.listOwn(user.userKey),
      checks.listOwn(user.userKey),
    ])
    const read = await reports.read(own.map(({ key }) => key))
    const statuses = new Map(read.map(({ deviceKey, status }) => [deviceKey, status]))
    const measured = own.map(({ key, id, label }) => ({
      id,
      label,
      status: presence.status(key),
      lastSeenMs: presence.lastSeenMs(key),
      reported: statuses.get(key),
    }))
    const named = ownChecks.map((check) => Object.assign({ label: check.name }, check))
    const written = [
      ...deviceFigures.map((figure) => writeFigure(figure, measured)),
      ...checkFigures.map((figure) => writeFigure(figure, named)),
    ]
    reply.type(metricsType).send(written.join(''))
    return undefined
  })
}

interface Labelled {
  readonly id: string
  readonly label: string
}

interface Figure<Measured> {
  readonly name: string
  readonly help: string
  /** Undefined leaves it out. */
  readonly valueOf: (measured: Measured) => number | undefined
}

function writeFigure<Measured extends Labelled>(
  { name, help, valueOf }: Figure<Measured>,
  all: readonly Measured[],
): string {
  const lines = [`# HELP ${name} ${help}\n# TYPE ${name} gauge\n`]
  for (const one of all) {
    const value = valueOf(one)
    if (value === undefined) continue
    lines.push(`${name}{id="${escaped(one.id)}",label="${escaped(one.label)}"} ${value}\n`)
  }
  return lines.join('')
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}
