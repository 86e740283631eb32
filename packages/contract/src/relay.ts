import * as v from 'valibot'
import { defineRoute } from './route.ts'

/** What agents and the server speak; the number grows with what older ones can't understand. */
export const relayProtocol = 'astropelago-relay/1'
/** The same inside of WebSocket messages, for proxies that let nothing else through. */
export const relayWebSocketProtocol = 'astropelago-relay.1'

/** Headers by which an agent says who it is. */
export const agentIdHeader = 'astropelago-agent'
export const agentVersionHeader = 'astropelago-agent-version'
/** The origin that it passes visitors on to, for the host of its islands to read; no folder has one. */
export const agentServiceHeader = 'astropelago-agent-service'
/** The slug or the id of the one island that it carries; without it all of its device. Answers, 426 too, say which these are. */
export const agentIslandHeader = 'astropelago-island'

/** By which an agent says in an answer that it is the agent's own, and why there is no other. */
export const relayErrorHeader = 'astropelago-relay-error'

export const connectRelay = defineRoute({
  method: 'GET',
  path: '/api/relay/connect',
  summary:
    'Connect an agent: the connection changes to astropelago-relay/1, HTTP/2 with the server as the client',
  tag: 'Relay',
  access: 'agent',
  answers: { 101: null },
  errors: [
    'invalid_token',
    'token_scope',
    'invalid_input',
    'upgrade_required',
    'relay_off',
    'no_relayed_island',
    'relay_stopped',
    'rate_limited',
    'overloaded',
  ],
})

export const tlsAllowed = defineRoute({
  method: 'GET',
  path: '/relay/tls-allowed',
  summary:
    'Whether a proxy on this machine, or one that TRUST_PROXY names, may get a certificate for an island’s host',
  tag: 'Relay',
  access: 'anyone',
  // Whatever it is, nobody else is to learn that something is asked for here.
  query: v.looseObject({ domain: v.optional(v.union([v.string(), v.array(v.string())])) }),
  answers: { 200: null },
  errors: ['not_found', 'rate_limited'],
})
