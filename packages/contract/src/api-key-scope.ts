import * as v from 'valibot'

/** What an API key may do. A route says which one lets keys in; all others let none in. */
export const ApiKeyScope = v.picklist(
  ['devices:read', 'devices:write', 'metrics'],
  'A scope is devices:read, devices:write or metrics.',
)
export type ApiKeyScope = v.InferOutput<typeof ApiKeyScope>
