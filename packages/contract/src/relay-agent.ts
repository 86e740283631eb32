import * as v from 'valibot'
import { defineRoute } from './route.ts'

/** Where the server serves the agent, the one file that people run next to their service. */
export const agentPath = '/agent.mjs'

export const getRelayAgent = defineRoute({
  method: 'GET',
  path: '/api/relay/agent',
  summary: `The version and hash of the agent at ${agentPath}`,
  tag: 'Relay',
  access: 'anyone',
  answers: {
    200: v.object({
      version: v.string(),
      /** The file's hash in hexadecimal, as `sha256sum` writes it. */
      sha256: v.pipe(v.string(), v.regex(/^[\da-f]{64}$/)),
    }),
  },
  errors: [],
})
