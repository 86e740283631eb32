import type { ReportStatus, Status } from '@astropelago/contract/devices'

/** One of a user's own devices. */
export interface MeasuredDevice {
  readonly id: string
  readonly label: string
  readonly status: Status
  readonly lastSeenMs: number | null
  /** The device's last report; undefined if it never sent one. */
  readonly said: ReportStatus | undefined
}

/** The text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/ */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8'

interface Figure {
  readonly name: string
  readonly help: string
  /** Undefined if the device has none. */
  readonly valueOf: (device: MeasuredDevice) => number | undefined
}

const figures: readonly Figure[] = [
  {
    name: 'astropelago_device_up',
    help: 'Whether the device is online',
    valueOf: ({ status }) => Number(status === 'online'),
  },
  {
    name: 'astropelago_device_last_seen_timestamp_seconds',
    help: 'When the device last reported; none for one that never did',
    valueOf: ({ lastSeenMs }) => (lastSeenMs === null ? undefined : lastSeenMs / 1000),
  },
  {
    name: 'astropelago_device_warning',
    help: 'Whether the device says that something fails',
    valueOf: ({ said }) => Number(said === 'fail'),
  },
]

export function writeDeviceMetrics(devices: readonly MeasuredDevice[]): string {
  return figures.map((figure) => writeFigure(figure, devices)).join('')
}

function writeFigure({ name, help, valueOf }: Figure, devices: readonly MeasuredDevice[]): string {
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
