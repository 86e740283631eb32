import * as v from 'valibot'
import { Maintenance } from './alert-maintenance.ts'
import { AlertRules, AlertRulesChanges, ThingRules, ThingRulesChanges } from './alert-rules.ts'
import { defineRoute } from './route.ts'

/** How many messages a page of those that were sent has. */
export const alertMessagesPageLength = 30

/**
 * What a message tells: something is gone, something is back, devices warn, or several of these; to operators also
 * that users reported something.
 */
export const AlertKind = v.picklist(['offline', 'online', 'warning', 'several', 'report'])
export type AlertKind = v.InferOutput<typeof AlertKind>

/** Times are ISO 8601 in UTC. */
export const OwnAlerts = v.object({
  rules: AlertRules,
  /** Messages of the last 24 hours, and how many there may be; what is past that waits. */
  sentCount: v.number(),
  sentMax: v.number(),
  /** Where something is to be told that waits, until when and for what; null where nothing does. */
  held: v.nullable(v.object({ until: v.string(), by: v.picklist(['quiet-hours', 'limit']) })),
  /** Of which things the rules differ. */
  differing: v.array(
    v.object({
      of: v.picklist(['device', 'island']),
      id: v.string(),
      name: v.string(),
      /** An island's; null for a device. */
      slug: v.nullable(v.string()),
      rules: ThingRules,
    }),
  ),
  /** What is not over, the first to begin first. */
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
  summary: 'Change what the user wants to be told',
  tag: 'Alerts',
  access: 'user',
  body: AlertRulesChanges,
  answers: { 200: OwnAlerts },
  errors: ['signed_out', 'invalid_input'],
})

/** What a user is told of one device or island. */
export const ThingAlerts = v.object({
  rules: ThingRules,
  /** What holds. */
  isOn: v.boolean(),
  /** That it is part of, and that is not over. */
  maintenance: v.array(Maintenance),
})
export type ThingAlerts = v.InferOutput<typeof ThingAlerts>

const ThingId = v.strictObject({ id: v.pipe(v.string(), v.maxLength(64)) })

export const getDeviceAlerts = defineRoute({
  method: 'GET',
  path: '/api/me/alerts/devices/:id',
  summary: 'What the user wants to be told of one of the own devices',
  tag: 'Alerts',
  access: 'user',
  params: ThingId,
  answers: { 200: ThingAlerts },
  errors: ['signed_out', 'not_found'],
})

export const changeDeviceAlerts = defineRoute({
  method: 'PATCH',
  path: '/api/me/alerts/devices/:id',
  summary: 'Change what the user wants to be told of one of the own devices',
  tag: 'Alerts',
  access: 'user',
  params: ThingId,
  body: ThingRulesChanges,
  answers: { 200: ThingAlerts },
  errors: ['signed_out', 'not_found', 'invalid_input'],
})

export const getIslandAlerts = defineRoute({
  method: 'GET',
  path: '/api/me/alerts/islands/:id',
  summary: 'What the user wants to be told of one island, be it an own one or not',
  tag: 'Alerts',
  access: 'user',
  params: ThingId,
  answers: { 200: ThingAlerts },
  errors: ['signed_out', 'not_found'],
})

export const changeIslandAlerts = defineRoute({
  method: 'PATCH',
  path: '/api/me/alerts/islands/:id',
  summary: 'Change what the user wants to be told of one island; to follow it, turn it on',
  tag: 'Alerts',
  access: 'user',
  params: ThingId,
  body: ThingRulesChanges,
  answers: { 200: ThingAlerts },
  errors: ['signed_out', 'not_found', 'invalid_input', 'alert_islands_limit'],
})

/** One message on its way to one channel. */
export const AlertDelivery = v.object({
  channel: v.object({ id: v.string(), name: v.string(), kind: v.string() }),
  /** `waiting`: its next try is to come; `failed`: it is given up. */
  state: v.picklist(['waiting', 'sent', 'failed']),
  tries: v.number(),
  /** Of the last try; null before the first one. */
  triedAt: v.nullable(v.string()),
  nextTryAt: v.nullable(v.string()),
  /** What the receiver answered, in short; null before the first try. */
  answer: v.nullable(v.string()),
})
export type AlertDelivery = v.InferOutput<typeof AlertDelivery>

/** What the user was told. Times are ISO 8601 in UTC. */
export const AlertMessage = v.object({
  id: v.string(),
  at: v.string(),
  kind: AlertKind,
  title: v.string(),
  lines: v.array(v.string()),
  /** Where to look. */
  url: v.string(),
  deliveries: v.array(AlertDelivery),
})
export type AlertMessage = v.InferOutput<typeof AlertMessage>

export const listAlertMessages = defineRoute({
  method: 'GET',
  path: '/api/me/alerts/messages',
  summary: 'What the user was told, the newest first: to which channels, and what they answered',
  tag: 'Alerts',
  access: 'user',
  query: v.strictObject({
    /** The `next` of the page before. */
    after: v.optional(v.pipe(v.string(), v.maxLength(64, 'This is at most 64 characters long.'))),
  }),
  answers: { 200: v.object({ messages: v.array(AlertMessage), next: v.nullable(v.string()) }) },
  errors: ['signed_out', 'invalid_input'],
})
