import { safeLink } from '@astropelago/contract/devices'
import { latMaxDeg, lonMaxDeg } from '@astropelago/contract/limits'
import * as v from 'valibot'
import { statusCodes } from './node-columns.ts'

/** One node as the worker keeps it. */
export interface NodeRecord {
  readonly id: string
  readonly label: string
  readonly latDeg: number
  readonly lonDeg: number
  /** Of statusCodes. */
  readonly status: number
  /** Empty where there is none that is safe to follow. */
  readonly link: string
}

const Identity = v.object({ id: v.pipe(v.string(), v.nonEmpty()) })

/** Only what a node can't be drawn without is insisted on; the contract's schema would refuse more. */
const Row = v.object({
  ...Identity.entries,
  label: v.fallback(v.string(), ''),
  lat: v.pipe(v.number(), v.minValue(-latMaxDeg), v.maxValue(latMaxDeg)),
  lon: v.pipe(v.number(), v.minValue(-lonMaxDeg), v.maxValue(lonMaxDeg)),
  status: v.fallback(v.string(), ''),
  link: v.fallback(v.string(), ''),
})

/** Undefined for what can't be drawn: no id, or a place that is not finite or not on Earth. */
export function readNode(row: unknown): NodeRecord | undefined {
  const parsed = v.safeParse(Row, row)
  if (!parsed.success) return undefined
  const { id, label, lat, lon, status, link } = parsed.output
  return {
    id,
    label,
    latDeg: lat,
    lonDeg: lon,
    status: statusCode(status),
    link: link === '' ? '' : (safeLink(link) ?? ''),
  }
}

/** The id of a row that can't be drawn, if it has one: its node has to go. */
export function readId(row: unknown): string | undefined {
  const parsed = v.safeParse(Identity, row)
  return parsed.success ? parsed.output.id : undefined
}

function statusCode(status: string): number {
  return status === 'online' || status === 'offline' ? statusCodes[status] : statusCodes.other
}
