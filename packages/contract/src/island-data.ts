import * as v from 'valibot'
import { IslandId } from './island-id.ts'
import { islandLlmTokensMax, messagesExported } from './limits.ts'
import { defineRoute } from './route.ts'

/** What one island holds of the user. */
export const IslandHolding = v.object({
  island: v.object({
    id: v.string(),
    /** Null if the user may no longer see it. */
    slug: v.nullable(v.string()),
    name: v.nullable(v.string()),
  }),
  values: v.number(),
  valueBytes: v.number(),
  messages: v.number(),
})
export type IslandHolding = v.InferOutput<typeof IslandHolding>

export const listIslandHoldings = defineRoute({
  method: 'GET',
  path: '/api/me/islands-data',
  summary: 'What islands hold of the user by the platform runtime: values and messages',
  tag: 'Accounts',
  access: 'user',
  answers: { 200: v.array(IslandHolding) },
  errors: ['signed_out'],
})

export const exportIslandHolding = defineRoute({
  method: 'GET',
  path: '/api/me/islands-data/:id',
  summary: `The values that one island holds of the user, and at most ${messagesExported} messages, as a JSON file`,
  tag: 'Accounts',
  access: 'user',
  params: IslandId,
  answers: {
    200: v.object({
      values: v.array(
        v.object({ store: v.string(), key: v.string(), value: v.unknown(), changedAt: v.string() }),
      ),
      messages: v.array(v.object({ room: v.string(), at: v.string(), value: v.unknown() })),
    }),
  },
  errors: ['signed_out', 'not_found', 'rate_limited'],
})

export const deleteIslandHolding = defineRoute({
  method: 'DELETE',
  path: '/api/me/islands-data/:id',
  summary: 'Delete the values and messages that one island holds of the user',
  tag: 'Accounts',
  access: 'user',
  params: IslandId,
  answers: { 204: null },
  errors: ['signed_out', 'not_found', 'rate_limited'],
})

/** What an island’s pages use of the platform runtime. */
export const IslandRuntime = v.object({
  llm: v.object({
    /** Whether this server is connected to a language model. */
    isConfigured: v.boolean(),
    /** What all visitors may use in a day; 0 turns it off. One visitor may use a tenth. */
    dailyTokens: v.number(),
    usedToday: v.number(),
  }),
  values: v.object({ keys: v.number(), bytes: v.number() }),
})
export type IslandRuntime = v.InferOutput<typeof IslandRuntime>

export const getIslandRuntime = defineRoute({
  method: 'GET',
  path: '/api/islands/:id/runtime',
  summary: 'What the pages of the user’s own island use of the platform runtime',
  tag: 'Islands',
  access: 'user',
  params: IslandId,
  answers: { 200: IslandRuntime },
  errors: ['signed_out', 'not_found'],
})

export const changeIslandRuntime = defineRoute({
  method: 'PATCH',
  path: '/api/islands/:id/runtime',
  summary: 'Set how much of the language model visitors of the user’s own island may use',
  tag: 'Islands',
  access: 'user',
  params: IslandId,
  body: v.strictObject({
    llmDailyTokens: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(0),
      v.maxValue(islandLlmTokensMax, `At most ${islandLlmTokensMax} tokens a day.`),
    ),
  }),
  answers: { 200: IslandRuntime },
  errors: ['signed_out', 'not_found', 'invalid_input', 'demo_account', 'rate_limited'],
})
