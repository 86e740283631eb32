import * as v from 'valibot'
import { Maintenance } from './alert-maintenance.ts'
import { AlertRules, AlertRulesChanges, SubjectRules, SubjectRulesChanges } from './alert-rules.ts'
import { defineRoute } from './route.ts'

/** Messages per page of the list of sent messages. */
export const alertMessagesPageLength = 30

/**
 * What a message is about: something went down, something recovered, devices warn, or several of these.
 * Operators also get messages about reports by users.
 */
export const AlertKind = v.picklist(['offline', 'online', 'warning', 'several', 'report'])
export type AlertKind = v.InferOutput<typeof AlertKind>

/** Times are ISO 8601 in UTC. */
export const OwnAlerts = v.object({
  rules: AlertRules,
  /** How many messages were sent in the last 24 hours, and the limit. Those beyond it wait. */
  sentCount: v.number(),
  sentMax: v.number(),
  /** Until when messages wait, and why; null if none waits. */
  held: v.nullable(v.object({ until: v.string(), by: v.picklist(['quiet-hours', 'limit']) })),
  /** Devices, islands and checks with their own rules. */
  differing: v.array(
    v.object({
      of: v.picklist(['device', 'island', 'check']),
      id: v.string(),
      name: v.string(),
      /** Of an island; null for others. */
      slug: v.nullable(v.string()),
      rules: SubjectRules,
    }),
  ),
  /** Windows that are not over, the next to begin first. */
  maintenance: v.array(Maintenance),
})
export type OwnAlerts = v.InferOutput<typeof OwnAlerts>

export const getAlerts = defineRoute({
  method: 'GET',
  path: '/api/me/alerts',
  summary: 'What the user wants to be told, and what waits',
  tag: 'Alerts',
  access: 'user',
  answers: { 200: OwnAlerts },
  errors: ['signed_out'],
})

export const changeAlerts = defineRoute({
  method: 'PATCH',
  path: '/api/me/alerts',
  summary: 'Change the user’s alert rules',
  tag: 'Alerts',
  access: 'user',
  body: AlertRulesChanges,
  answers: { 200: OwnAlerts },
  errors: ['signed_out', 'invalid_input'],
})

/** A user's alerts about one device, island or check. */
export const SubjectAlerts = v.object({
  rules: SubjectRules,
  /** Whether alerts are on, by this rule or the general one. */
  isOn: v.boolean(),
  /** The maintenance windows that include it and are not over. */
  maintenance: v.array(Maintenance),
})
export type SubjectAlerts = v.InferOutput<typeof SubjectAlerts>

const SubjectId = v.strictObject({ id: v.pipe(v.string(), v.maxLength(64)) })

export const getDeviceAlerts = defineRoute({
  method: 'GET',
  path: '/api/me/alerts/devices/:id',
  summary: 'The alert rules for one of the user’s own devices',
  tag: 'Alerts',
  access: 'user',
  params: SubjectId,
  answers: { 200: SubjectAlerts },
  errors: ['signed_out', 'not_found'],
})

export const changeDeviceAlerts = defineRoute({
  method: 'PATCH',
  path: '/api/me/alerts/devices/:id',
  summary: 'Change the alert rules for one of the user’s own devices',
  tag: 'Alerts',
  access: 'user',
  params: SubjectId,
  body: SubjectRulesChanges,
  answers: { 200: SubjectAlerts },
  errors: ['signed_out', 'not_found', 'invalid_input'],
})

export const getIslandAlerts = defineRoute({
  method: 'GET',
  path: '/api/me/alerts/islands/:id',
  summary: 'The user’s alert rules for any island',
  tag: 'Alerts',
  access: 'user',
  params: SubjectId,
  answers: { 200: SubjectAlerts },
  errors: ['signed_out', 'not_found'],
})

export const changeIslandAlerts = defineRoute({
  method: 'PATCH',
  path: '/api/me/alerts/islands/:id',
  summary: 'Change the user’s alert rules for an island; turn alerts on to follow it',
  tag: 'Alerts',
  access: 'user',
  params: SubjectId,
  body: SubjectRulesChanges,
  answers: { 200: SubjectAlerts },
  errors: ['signed_out', 'not_found', 'invalid_input', 'alert_islands_limit'],
})

export const getCheckAlerts = defineRoute({
  method: 'GET',
  path: '/api/me/alerts/checks/:id',
  summary: 'The alert rules for one of the user’s own checks',
  tag: 'Alerts',
  access: 'user',
  params: SubjectId,
  answers: { 200: SubjectAlerts },
  errors: ['signed_out', 'not_found'],
})

export const changeCheckAlerts = defineRoute({
  method: 'PATCH',
  path: '/api/me/alerts/checks/:id',
  summary: 'Change the alert rules for one of the user’s own checks',
  tag: 'Alerts',
  access: 'user',
  params: SubjectId,
  body: SubjectRulesChanges,
  answers: { 200: SubjectAlerts },
  errors: ['signed_out', 'not_found', 'invalid_input'],
})

/** One message to one channel. */
export const AlertDelivery = v.object({
  channel: v.object({ id: v.string(), name: v.string(), kind: v.string() }),
  /** `waiting`: another try is due; `failed`: no more tries. */
  state: v.picklist(['waiting', 'sent', 'failed']),
  tries: v.number(),
  /** The time of the last try; null before the first one. */
  triedAt: v.nullable(v.string()),
  nextTryAt: v.nullable(v.string()),
  /** The receiver's answer in short; null before the first try. */
  answer: v.nullable(v.string()),
})
export type AlertDelivery = v.InferOutput<typeof AlertDelivery>

/** A message to the user. Times are ISO 8601 in UTC. */
export const AlertMessage = v.object({
  id: v.string(),
  at: v.string(),
  kind: AlertKind,
  title: v.string(),
  lines: v.array(v.string()),
  /** The page that shows more. */
  url: v.string(),
  deliveries: v.array(AlertDelivery),
})
export type AlertMessage = v.InferOutput<typeof AlertMessage>

export const listAlertMessages = defineRoute({
  method: 'GET',
  path: '/api/me/alerts/messages',
  summary: 'The alerts that the user got, newest first, with each channel’s answer',
  tag: 'Alerts',
  access: 'user',
  query: v.strictObject({
    /** The `next` of the previous page. */
    after: v.optional(v.pipe(v.string(), v.maxLength(64, 'This is at most 64 characters long.'))),
  }),
  answers: { 200: v.object({ messages: v.array(AlertMessage), next: v.nullable(v.string()) }) },
  errors: ['signed_out', 'invalid_input'],
})
