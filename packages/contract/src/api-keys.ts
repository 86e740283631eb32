import * as v from 'valibot'
import { ApiKeyScope } from './api-key-scope.ts'
import { apiKeyDaysMax, apiKeyNameMaxLength } from './limits.ts'
import { defineRoute } from './route.ts'
import { codePointLength, normalizeShortText } from './text.ts'

/** Secret scanners recognise it. */
export const apiKeyPrefix = 'apk_'

/** A key as its owner sees it. Times are ISO 8601 in UTC. */
export const ApiKey = v.object({
  id: v.string(),
  name: v.string(),
  /** The key's first characters, to tell keys apart. */
  start: v.string(),
  scopes: v.array(ApiKeyScope),
  createdAt: v.string(),
  /** Updated at most once a minute. */
  lastUsedAt: v.nullable(v.string()),
  /** Null if it is valid until it is revoked. */
  expiresAt: v.nullable(v.string()),
})
export type ApiKey = v.InferOutput<typeof ApiKey>

const nameMessage = `A name has 1 to ${apiKeyNameMaxLength} characters, all of them visible.`
const KeyName = v.pipe(
  v.string(nameMessage),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const name = normalizeShortText(dataset.value)
    if (name === undefined || name === '' || codePointLength(name) > apiKeyNameMaxLength) {
      addIssue({ message: nameMessage })
      return NEVER
    }
    return name
  }),
)

const scopesMessage = 'Choose at least one scope, each of them once.'
const daysMessage = `A key lasts 1 to ${apiKeyDaysMax} days, or, with null, until it is revoked.`
export const NewApiKey = v.strictObject({
  name: KeyName,
  scopes: v.pipe(
    v.array(ApiKeyScope, scopesMessage),
    v.minLength(1, scopesMessage),
    v.maxLength(ApiKeyScope.options.length, scopesMessage),
    v.check((scopes) => new Set(scopes).size === scopes.length, scopesMessage),
  ),
  expiresInDays: v.optional(
    v.nullable(
      v.pipe(
        v.number(daysMessage),
        v.integer(daysMessage),
        v.minValue(1, daysMessage),
        v.maxValue(apiKeyDaysMax, daysMessage),
      ),
    ),
    null,
  ),
})
export type NewApiKey = v.InferOutput<typeof NewApiKey>

export const listApiKeys = defineRoute({
  method: 'GET',
  path: '/api/me/api-keys',
  summary: 'The user’s API keys, without their secrets',
  tag: 'API keys',
  access: 'user',
  answers: { 200: v.array(ApiKey) },
  errors: ['signed_out'],
})

export const createApiKey = defineRoute({
  method: 'POST',
  path: '/api/me/api-keys',
  summary: 'Make an API key; only this answer shows it',
  tag: 'API keys',
  access: 'user',
  body: NewApiKey,
  answers: { 201: v.object({ ...ApiKey.entries, key: v.string() }) },
  errors: ['signed_out', 'invalid_input', 'demo_account', 'api_key_limit'],
})

export const revokeApiKey = defineRoute({
  method: 'DELETE',
  path: '/api/me/api-keys/:id',
  summary: 'Revoke an API key',
  tag: 'API keys',
  access: 'user',
  params: v.strictObject({ id: v.string() }),
  answers: { 204: null },
  errors: ['signed_out', 'not_found'],
})
