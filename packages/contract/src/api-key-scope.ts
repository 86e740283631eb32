import * as v from 'valibot'

/** What an API key may do. Each route that accepts API keys names the scope that it requires. */
export const ApiKeyScope = v.picklist(
  ['devices:read', 'devices:write', 'checks:read', 'checks:write', 'pages:write', 'metrics'],
  'A scope is devices:read, devices:write, checks:read, checks:write, pages:write or metrics.',
)
export type ApiKeyScope = v.InferOutput<typeof ApiKeyScope>
