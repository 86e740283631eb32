const dayMs = 86_400_000

interface Flips {
  readonly devices: number
  readonly flipsPerDevice: number
  /** The number of days over which flips are spread. */
  readonly days: number
  readonly nowMs: number
}

/** One statement per flip number for all devices, in the order of time. */
export function flipStatements({ devices, flipsPerDevice, days, nowMs }: Flips): string[] {
  const everyMs = (days / flipsPerDevice) * dayMs
  return Array.from({ length: flipsPerDevice }, (_, at) => {
    const fromMs = nowMs - (flipsPerDevice - at) * everyMs
    return `insert into presence_events (device_key, status, at_ms)
      select key, '${at % 2 === 0 ? 'online' : 'offline'}', ${fromMs} + key * ${Math.floor((everyMs - dayMs) / devices)}
      from devices order by key`
  })
}

/** Makes the rows that rolling up would have made by `nowMs`, for devices that flip at most once a day. */
export function daysStatement(nowMs: number): string {
  const today = Math.floor(nowMs / dayMs)
  return `insert into device_days
      (device_key, day, online_s, offline_s, unobserved_s, flips, is_online, since_ms)
    select device_key, at_ms / ${dayMs}, 43200, 43200, 0, 1,
      case status when 'online' then 1 else 0 end, at_ms
    from presence_events where at_ms < ${today * dayMs}
    order by device_key, at_ms on conflict do nothing`
}
