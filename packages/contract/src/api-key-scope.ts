import * as v from 'valibot'

/** What an API key may do. A route says which one lets keys in; all others let none in. */
export const ApiKeyScope = v.picklist(
  ['devices:read', 'devices:write'],
  'A scope is devices:read or devices:write.',
)
export type ApiKeyScope = v.InferOutput<typeof ApiKeyScope>
