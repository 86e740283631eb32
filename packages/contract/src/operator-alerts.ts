import * as v from 'valibot'
import { AlertDelivery } from './alerts.ts'
import { ChannelKind } from './alert-channels.ts'
import { Username } from './operator.ts'
import { defineRoute } from './route.ts'

/** How many of a user's waiting deliveries are listed, and how many others. */
export const operatorDeliveriesLength = 20

/** The state of alerts. Times are ISO 8601 in UTC. */
export const OperatorAlerts = v.object({
  /** Since when sending is paused; null if it is not. */
  pausedAt: v.nullable(v.string()),
  /** Deliveries that wait for a try, and the time of the oldest message among them. */
  waiting: v.number(),
  oldestAt: v.nullable(v.string()),
  channels: v.array(
    v.object({
      kind: ChannelKind,
      count: v.number(),
      /** Channels whose last message did not arrive. */
      failing: v.number(),
      /** Channels that their receiver has ended. */
      ended: v.number(),
      /** E-mail addresses that their owners have not confirmed yet. */
      unconfirmed: v.number(),
    }),
  ),
})
export type OperatorAlerts = v.InferOutput<typeof OperatorAlerts>

export const getOperatorAlerts = defineRoute({
  method: 'GET',
  path: '/api/operator/alerts',
  summary: 'The state of alerts: how many wait, and which channels fail',
  tag: 'Operators',
  access: 'operator',
  answers: { 200: OperatorAlerts },
  errors: ['not_found'],
})

export const pauseAlerts = defineRoute({
  method: 'POST',
  path: '/api/operator/alerts/pause',
  summary: 'Pause all alerts; they wait until they are resumed',
  tag: 'Operators',
  access: 'operator',
  answers: { 200: OperatorAlerts },
  errors: ['not_found'],
})

export const resumeAlerts = defineRoute({
  method: 'POST',
  path: '/api/operator/alerts/resume',
  summary: 'Resume alerts, and send those that waited',
  tag: 'Operators',
  access: 'operator',
  answers: { 200: OperatorAlerts },
  errors: ['not_found'],
})

/** One message to one channel, without its text and target. */
const OperatorDelivery = v.object({
  ...v.omit(AlertDelivery, ['channel']).entries,
  /** The id of the message. */
  id: v.string(),
  at: v.string(),
  channel: v.string(),
})
export type OperatorDelivery = v.InferOutput<typeof OperatorDelivery>

export const getUserAlerts = defineRoute({
  method: 'GET',
  path: '/api/operator/users/:username/alerts',
  summary: 'A user’s waiting alerts, oldest first, and the last ones that were sent, newest first',
  tag: 'Operators',
  access: 'operator',
  params: Username,
  answers: {
    200: v.object({ waiting: v.array(OperatorDelivery), ended: v.array(OperatorDelivery) }),
  },
  errors: ['not_found'],
})
