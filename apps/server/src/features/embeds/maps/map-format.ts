import type { PublicDevice } from '@astropelago/contract/devices'

/** A device as everybody may know of it. */
export interface MappedDevice extends PublicDevice {
  readonly publicSinceMs: number
  readonly lastSeenMs: number | null
}

/** How public devices are written down for the maps of others, one after the other. */
export interface MapFormat {
  readonly type: string
  /** Whether it says when it was made, and has to be made anew as time passes. */
  readonly tellsTime: boolean
  readonly start: (nowMs: number) => string
  /** As JSON; undefined where the format has no place for it. */
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

/** What Freifunk's meshviewer has loaded since 2017. Figures that it asks of every node, and nobody knows here, are 0. */
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

/** Version 2 of what its elder forks and other Freifunk tools load. */
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

/** What those forks load beside it. */
export const graphJson = JSON.stringify({
  version: 1,
  batadv: { directed: false, nodes: [], links: [], graph: null },
})

/**
 * Nothing of when it was private, and of who is online no more than that: each heartbeat is nobody's business.
 * One that never reported was never seen.
 */
function timesOf({ status, publicSinceMs, lastSeenMs }: MappedDevice, nowMs: number) {
  if (status === 'unknown') return undefined
  const seenMs = status === 'online' ? nowMs : (lastSeenMs ?? 0)
  return { firstseen: iso(publicSinceMs), lastseen: iso(Math.max(publicSinceMs, seenMs)) }
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
