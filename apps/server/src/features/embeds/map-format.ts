import { isoTime } from '../../iso-time.ts'
import type { ListedDevice } from '../devices/public.ts'

export interface MapFormat {
  readonly type: string
  /** Whether it contains the time of making. */
  readonly isTimed: boolean
  readonly start: (nowMs: number) => string
  /** Undefined if the format has no place for it. */
  readonly device: (device: ListedDevice, nowMs: number) => object | undefined
  readonly end: string
}

/** RFC 7946. */
export function geoJson(publicUrl: string): MapFormat {
  return {
    type: 'application/geo+json; charset=utf-8',
    isTimed: false,
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

/** The format of Freifunk's meshviewer since 2017. Figures that it requires and we don't know are 0. */
export const meshviewer: MapFormat = {
  type: 'application/json; charset=utf-8',
  isTimed: true,
  start: (nowMs) => `{"timestamp":"${isoTime(nowMs)}","links":[],"nodes":[`,
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
  isTimed: true,
  start: (nowMs) => `{"version":2,"timestamp":"${isoTime(nowMs)}","nodes":[`,
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

/** Reveals nothing from before the device was public, nor when an online device sent its heartbeats. */
function timesOf({ status, publicSinceMs, lastSeenMs }: ListedDevice, nowMs: number) {
  if (status === 'unknown') return undefined
  const seenMs = status === 'online' ? nowMs : (lastSeenMs ?? 0)
  return { firstseen: isoTime(publicSinceMs), lastseen: isoTime(Math.max(publicSinceMs, seenMs)) }
}
