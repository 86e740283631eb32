import type { PublicDevice } from '@astropelago/contract/devices'

/** The public facts of a device. */
export interface MappedDevice extends PublicDevice {
  readonly publicSinceMs: number
  readonly lastSeenMs: number | null
}

/** A file format for other people's maps. Devices are written one by one. */
export interface MapFormat {
  readonly type: string
  /** Whether it contains the time of making, so that it has to be made again as time passes. */
  readonly tellsTime: boolean
  readonly start: (nowMs: number) => string
  /** The device as JSON; undefined if the format has no place for it. */
  readonly device: (device: MappedDevice, nowMs: number) => object | undefined
  readonly end: string
}

/** RFC 7946. */
export function geoJson(publicUrl: string): MapFormat {
  return {
    type: 'application/geo+json; charset=utf-8',
    tellsTime: false,
    start: () => '{"type":"FeatureCollection","features":[',
    device: ({ id, label, lat, lon, status, link }) => ({
      type: 'Feature',
      id,
      geometry: { type: 'Point', coordinates: [lon, lat] },
      properties: { label, status, link, page: `${publicUrl}/devices/${id}` },
    }),
    end: ']}',
  }
}

/**
 * The format that Freifunk's meshviewer has loaded since 2017. Figures that it requires and that are
 * unknown here are 0.
 */
export const meshviewer: MapFormat = {
  type: 'application/json; charset=utf-8',
  tellsTime: true,
  start: (nowMs) => `{"timestamp":"${iso(nowMs)}","links":[],"nodes":[`,
  device: (device, nowMs) => {
    const times = timesOf(device, nowMs)
    if (times === undefined) return undefined
    const { id, label, lat, lon, status } = device
    return {
      ...times,
      node_id: id,
      hostname: label,
      is_online: status === 'online',
      is_gateway: false,
      location: { latitude: lat, longitude: lon },
      clients: 0,
      clients_wifi24: 0,
      clients_wifi5: 0,
      clients_other: 0,
      addresses: [],
      firmware: {},
      autoupdater: { enabled: false },
      nproc: 1,
      loadavg: 0,
      memory_usage: 0,
    }
  },
  end: ']}',
}

/** Version 2 of the format for meshviewer's older forks and other Freifunk tools. */
export const nodesJson: MapFormat = {
  type: 'application/json; charset=utf-8',
  tellsTime: true,
  start: (nowMs) => `{"version":2,"timestamp":"${iso(nowMs)}","nodes":[`,
  device: (device, nowMs) => {
    const times = timesOf(device, nowMs)
    if (times === undefined) return undefined
    const { id, label, lat, lon, status } = device
    return {
      ...times,
      flags: { online: status === 'online', gateway: false },
      statistics: { node_id: id, clients: 0 },
      nodeinfo: {
        node_id: id,
        hostname: label,
        location: { latitude: lat, longitude: lon },
        network: { mac: '', addresses: [] },
        hardware: {},
        software: {},
      },
    }
  },
  end: ']}',
}

/** Meshviewer's older forks load this too. */
export const graphJson = JSON.stringify({
  version: 1,
  batadv: { directed: false, nodes: [], links: [], graph: null },
})

/**
 * Reveals nothing from before the device was public, nor when an online device sent its heartbeats. A
 * device that never reported has no times.
 */
function timesOf({ status, publicSinceMs, lastSeenMs }: MappedDevice, nowMs: number) {
  if (status === 'unknown') return undefined
  const seenMs = status === 'online' ? nowMs : (lastSeenMs ?? 0)
  return { firstseen: iso(publicSinceMs), lastseen: iso(Math.max(publicSinceMs, seenMs)) }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
