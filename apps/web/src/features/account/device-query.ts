import type { OwnDevice } from '@astropelago/contract/devices'
import * as v from 'valibot'
import { language } from '../../language/language.ts'
import { searchMaxLength, searchText } from '../../lib/search-text.ts'

export const deviceSorts = ['registered', 'label', 'status', 'seen'] as const

export type DeviceSort = (typeof deviceSorts)[number]

export interface DeviceQuery {
  readonly search: string
  readonly sort: DeviceSort
}

const Parameters = v.object({
  q: v.fallback(v.pipe(v.string(), v.maxLength(searchMaxLength)), ''),
  sort: v.fallback(v.picklist(deviceSorts), 'registered'),
})

/** Reads the query from the address. Invalid values fall back to all devices in the server's order. */
export function readDeviceQuery(parameters: URLSearchParams): DeviceQuery {
  const { q, sort } = v.parse(Parameters, Object.fromEntries(parameters))
  return { search: q, sort }
}

/** Writes the query to the address's parameters. Defaults are omitted, and other parameters stay. */
export function withDeviceQuery(
  parameters: URLSearchParams,
  { search, sort }: DeviceQuery,
): URLSearchParams {
  const result = new URLSearchParams(parameters)
  if (search.trim() === '') result.delete('q')
  else result.set('q', search.slice(0, searchMaxLength))
  if (sort === 'registered') result.delete('sort')
  else result.set('sort', sort)
  return result
}

const labels = new Intl.Collator(language, { numeric: true, sensitivity: 'base' })
const byLabel = (a: OwnDevice, b: OwnDevice) => labels.compare(a.label, b.label)

/** Devices that may need attention come first. */
const statusRanks: Readonly<Record<OwnDevice['status'], number>> = {
  offline: 0,
  unknown: 1,
  online: 2,
}

const orders: Readonly<
  Record<Exclude<DeviceSort, 'registered'>, (a: OwnDevice, b: OwnDevice) => number>
> = {
  label: byLabel,
  status: (a, b) => statusRanks[a.status] - statusRanks[b.status] || byLabel(a, b),
  // ISO 8601 sorts as text. Devices that never reported come last.
  seen: (a, b) => labels.compare(b.lastSeenAt ?? '', a.lastSeenAt ?? '') || byLabel(a, b),
}

/** The devices whose label, id or link contains the text, ignoring case and accents, in order. */
export function selectDevices(
  devices: readonly OwnDevice[],
  { search, sort }: DeviceQuery,
): readonly OwnDevice[] {
  const wanted = searchText(search.trim())
  const found = devices.filter(({ label, id, link }) =>
    [label, id, link ?? ''].some((text) => searchText(text).includes(wanted)),
  )
  return sort === 'registered' ? found : found.toSorted(orders[sort])
}
