import * as v from 'valibot'
import { IslandId } from './island-id.ts'
import { hiddenReasonMaxLength } from './limits.ts'
import { OperatorIsland } from './operator-islands.ts'
import { OperatorUser, Username } from './operator.ts'
import { defineRoute } from './route.ts'
import { LongText } from './text-fields.ts'

const reasonMessage = `A reason has 1 to ${hiddenReasonMaxLength} characters.`

/** Shown to the hosts. */
const Reason = v.strictObject({
  reason: v.pipe(LongText(hiddenReasonMaxLength, reasonMessage), v.nonEmpty(reasonMessage)),
})

export const stopIslandRelay = defineRoute({
  method: 'POST',
  path: '/api/operator/islands/:id/stop-relay',
  summary: 'Stop the relay for an island; its host sees why',
  tag: 'Operators',
  access: 'operator',
  params: IslandId,
  body: Reason,
  answers: { 200: OperatorIsland },
  errors: ['not_found', 'invalid_input'],
})

export const startIslandRelay = defineRoute({
  method: 'POST',
  path: '/api/operator/islands/:id/start-relay',
  summary: 'Start the relay for an island again',
  tag: 'Operators',
  access: 'operator',
  params: IslandId,
  answers: { 200: OperatorIsland },
  errors: ['not_found'],
})

export const stopUserRelay = defineRoute({
  method: 'POST',
  path: '/api/operator/users/:username/stop-relay',
  summary: 'Stop the relay for all islands of a user, who sees why',
  tag: 'Operators',
  access: 'operator',
  params: Username,
  body: Reason,
  answers: { 200: OperatorUser },
  errors: ['not_found', 'invalid_input'],
})

export const startUserRelay = defineRoute({
  method: 'POST',
  path: '/api/operator/users/:username/start-relay',
  summary: 'Start the relay for a user’s islands again',
  tag: 'Operators',
  access: 'operator',
  params: Username,
  answers: { 200: OperatorUser },
  errors: ['not_found'],
})

export const trustHost = defineRoute({
  method: 'POST',
  path: '/api/operator/users/:username/trust',
  summary: 'Trust a host: the relay no longer asks visitors before it leads them to the islands',
  tag: 'Operators',
  access: 'operator',
  params: Username,
  answers: { 200: OperatorUser },
  errors: ['not_found'],
})

export const distrustHost = defineRoute({
  method: 'POST',
  path: '/api/operator/users/:username/distrust',
  summary: 'Stop trusting a host: the relay asks visitors first',
  tag: 'Operators',
  access: 'operator',
  params: Username,
  answers: { 200: OperatorUser },
  errors: ['not_found'],
})
