import * as v from 'valibot'
import { defineRoute } from './route.ts'

/** The protocol between agents and the server. The number changes with incompatible versions. */
export const relayProtocol = 'astropelago-relay/2'
/** The same protocol in WebSocket messages, for proxies that let nothing else through. */
export const relayWebSocketProtocol = 'astropelago-relay.2'

/** Headers by which an agent identifies itself. */
export const agentIdHeader = 'astropelago-agent'
export const agentVersionHeader = 'astropelago-agent-version'
/**
 * The origin to which the agent forwards visitors, shown to the host of its islands. Left out for a folder.
 */
export const agentServiceHeader = 'astropelago-agent-service'
/** The `Host` that the service wants instead of the island's. */
export const agentHostHeader = 'astropelago-agent-host'
/**
 * The slug or id of the one island that the agent carries; without it, all islands of its device. Answers,
 * 426 too, list these.
 */
export const agentIslandHeader = 'astropelago-island'

/** The SHA-256 of the server's own agent, in the answer, so that an older agent can say so. */
export const agentHashHeader = 'astropelago-agent-hash'
/** With any value, a connection only tests the way, and carries no island. */
export const agentCheckHeader = 'astropelago-agent-check'

/** With it, a connection carries no island, but looks at addresses, at most this many times an hour. */
export const agentLendsHeader = 'astropelago-agent-lends'

export const connectRelay = defineRoute({
  method: 'GET',
  path: '/api/relay/connect',
  summary:
    'Connect an agent: the connection changes to astropelago-relay/2, on which the server opens streams',
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
  // Accept any query, so that nobody else learns that something is read here.
  query: v.looseObject({ domain: v.optional(v.union([v.string(), v.array(v.string())])) }),
  answers: { 200: null },
  errors: ['not_found', 'rate_limited'],
})
