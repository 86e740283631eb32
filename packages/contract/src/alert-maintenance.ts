import * as v from 'valibot'
import {
  alertMaintenanceAheadDaysMax,
  alertMaintenanceDaysMax,
  alertMaintenanceSubjectsMax,
} from './limits.ts'
import { defineRoute } from './route.ts'
import { ShortText } from './text-fields.ts'
import { Time } from './time.ts'

const dayMs = 86_400_000
const noteMaxLength = 64

/** A time without new alerts about some subjects. Times are ISO 8601 in UTC. */
export const Maintenance = v.object({
  id: v.string(),
  from: v.string(),
  until: v.string(),
  /** Ids. If all are null, it covers everything that the user gets alerts about. */
  devices: v.nullable(v.array(v.string())),
  islands: v.nullable(v.array(v.string())),
  checks: v.nullable(v.array(v.string())),
  note: v.nullable(v.string()),
})
export type Maintenance = v.InferOutput<typeof Maintenance>

const idsMessage = `Name 1 to ${alertMaintenanceSubjectsMax}, each once. Null names none, and in all fields it names all.`
const Ids = v.optional(
  v.nullable(
    v.pipe(
      v.array(v.pipe(v.string(), v.maxLength(64)), idsMessage),
      v.minLength(1, idsMessage),
      v.maxLength(alertMaintenanceSubjectsMax, idsMessage),
      v.check((ids) => new Set(ids).size === ids.length, idsMessage),
    ),
  ),
  null,
)

export const NewMaintenance = v.strictObject({
  /** Now by default. */
  from: v.optional(Time),
  until: Time,
  devices: Ids,
  islands: Ids,
  checks: Ids,
  note: v.optional(
    v.nullable(ShortText(noteMaxLength, `A note has 1 to ${noteMaxLength} characters.`)),
    null,
  ),
})
export type NewMaintenance = v.InferInput<typeof NewMaintenance>

/**
 * What is wrong with the times, by field name; undefined if nothing is. The part before now does not count.
 */
export function maintenanceProblem(
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
  nowMs: number,
): Readonly<Record<string, string>> | undefined {
  const beginMs = Math.max(nowMs, fromMs)
  if (beginMs - nowMs > alertMaintenanceAheadDaysMax * dayMs) {
    return { from: `It begins within ${alertMaintenanceAheadDaysMax} days.` }
  }
  if (untilMs <= beginMs) return { until: 'It ends after it begins, and after now.' }
  if (untilMs - beginMs > alertMaintenanceDaysMax * dayMs) {
    return { until: `It is at most ${alertMaintenanceDaysMax} days long.` }
  }
  return undefined
}

export const planMaintenance = defineRoute({
  method: 'POST',
  path: '/api/me/alerts/maintenance',
  summary: 'Plan maintenance: no new alerts for a time, about some subjects or all, now or later',
  tag: 'Alerts',
  access: 'user',
  body: NewMaintenance,
  answers: { 201: Maintenance },
  errors: ['signed_out', 'invalid_input', 'not_found', 'maintenance_limit'],
})

export const endMaintenance = defineRoute({
  method: 'DELETE',
  path: '/api/me/alerts/maintenance/:id',
  summary: 'End a maintenance window, or cancel it before it begins',
  tag: 'Alerts',
  access: 'user',
  params: v.strictObject({ id: v.pipe(v.string(), v.maxLength(64)) }),
  answers: { 204: null },
  errors: ['signed_out', 'not_found'],
})
