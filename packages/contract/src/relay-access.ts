import * as v from 'valibot'
import { AccessPolicy, IslandPause } from './islands.ts'
import { domainMaxLength } from './limits.ts'
import { defineRoute } from './route.ts'

export { enterPath, relayPath } from './runtime-paths.ts'

/** A hash of the browser's state, which an island's host name sends to the site. */
const browserStatePattern = /^[A-Za-z0-9_-]{43}$/
export const BrowserState = v.pipe(v.string(), v.regex(browserStatePattern))

/** What the service at home learns of visitors who have agreed to that, and only of those. */
export const visitorIdHeader = 'astropelago-user'
export const visitorNameHeader = 'astropelago-name'

/** An island's access policy, as a signed-in user sees it. */
export const Doorway = v.object({
  /** The current slug. An old one leads here too. */
  slug: v.string(),
  name: v.string(),
  /** The host's display name; null if it belongs to the installation. */
  host: v.nullable(v.string()),
  access: AccessPolicy,
  mayEnter: v.boolean(),
  /** The pause that keeps the user out; null if none does. */
  pause: v.nullable(IslandPause),
  /** The entrance on the island's host name; null if no relay carries it. */
  wayIn: v.nullable(v.string()),
  /** Whether `wayIn` is on the host name that was asked for. Tickets are for that one only. */
  isHere: v.boolean(),
  /** Whether its pages are here. They ask for the name themselves, once they need it. */
  isHosted: v.boolean(),
  /** The name that the island's service would get. */
  yourName: v.string(),
  /** Whether the service gets the name; null if the user has not been asked, or withdrew the answer. */
  tellsName: v.nullable(v.boolean()),
})
export type Doorway = v.InferOutput<typeof Doorway>

/** An island's slug, or the domain of its own from which the browser comes. */
const SlugParams = v.strictObject({ slug: v.pipe(v.string(), v.maxLength(domainMaxLength)) })

export const readDoorway = defineRoute({
  method: 'GET',
  path: '/api/relay/access/:slug',
  summary: 'Who may enter an island behind the relay, for users who may see it',
  tag: 'Relay',
  access: 'user',
  params: SlugParams,
  answers: { 200: Doorway },
  errors: ['signed_out', 'not_found', 'invalid_input', 'rate_limited'],
})

export const makeTicket = defineRoute({
  method: 'POST',
  path: '/api/relay/access/:slug/tickets',
  summary:
    'Store whether the island gets the user’s name, and make a ticket that lets this browser in',
  tag: 'Relay',
  access: 'user',
  params: SlugParams,
  /** Without `tellsName`, the answer that was given before stays. */
  body: v.strictObject({ state: BrowserState, tellsName: v.optional(v.boolean()) }),
  /** Valid once, for a minute, in the browser with this state. */
  answers: { 201: v.object({ ticket: v.string() }) },
  errors: ['signed_out', 'not_found', 'invalid_input', 'rate_limited'],
})

export const takeBackAnswer = defineRoute({
  method: 'DELETE',
  path: '/api/relay/access/:slug/answer',
  summary: 'Withdraw the answer: the island no longer gets the name, and the user is asked again',
  tag: 'Relay',
  access: 'user',
  params: SlugParams,
  answers: { 204: null },
  errors: ['signed_out', 'not_found', 'invalid_input', 'rate_limited'],
})
