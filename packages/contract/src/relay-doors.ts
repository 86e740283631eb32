import * as v from 'valibot'
import { Door, IslandPause } from './islands.ts'
import { defineRoute } from './route.ts'

/** What an island's host name tells the site of the browser that comes from there: a hash of its state. */
const browserStatePattern = /^[A-Za-z0-9_-]{43}$/
export const BrowserState = v.pipe(v.string(), v.regex(browserStatePattern))

/** Below it the relay answers itself on every island's host name. */
export const relayPath = '/.astropelago/'
/** Where an island's host name sends a browser to the site, and takes the ticket that it comes back with. */
export const enterPath = `${relayPath}enter`

/** What the service at home is told of a visitor who has said yes to that, and of nobody else. */
export const visitorIdHeader = 'astropelago-user'
export const visitorNameHeader = 'astropelago-name'

/** An island's door as a signed-in user stands before it. */
export const Doorway = v.object({
  /** The one that it has now: an old one leads here too. */
  slug: v.string(),
  name: v.string(),
  /** What its host is called; null where it belongs to the installation. */
  host: v.nullable(v.string()),
  door: Door,
  mayEnter: v.boolean(),
  /** By which its host keeps the user out; null where none does. */
  pause: v.nullable(IslandPause),
  /** Its host name's way in; null where no relay carries it. */
  wayIn: v.nullable(v.string()),
  /** What its service would be told that the user is called. */
  yourName: v.string(),
  /** Whether it is told; null where the user has not been asked, or took the answer back. */
  tellsName: v.nullable(v.boolean()),
})
export type Doorway = v.InferOutput<typeof Doorway>

const SlugParams = v.strictObject({ slug: v.pipe(v.string(), v.maxLength(64)) })

export const readDoorway = defineRoute({
  method: 'GET',
  path: '/api/relay/doors/:slug',
  summary: 'The door of an island through the relay, for whoever may know of it',
  tag: 'Relay',
  access: 'user',
  params: SlugParams,
  answers: { 200: Doorway },
  errors: ['signed_out', 'not_found', 'invalid_input', 'rate_limited'],
})

export const makeTicket = defineRoute({
  method: 'POST',
  path: '/api/relay/doors/:slug/tickets',
  summary:
    'Remember whether the island is told one’s name, and make a ticket that lets this browser in',
  tag: 'Relay',
  access: 'user',
  params: SlugParams,
  body: v.strictObject({ state: BrowserState, tellsName: v.boolean() }),
  /** Works once, for a minute, in the browser that the state is of. */
  answers: { 201: v.object({ ticket: v.string() }) },
  errors: ['signed_out', 'not_found', 'invalid_input', 'rate_limited'],
})

export const takeBackAnswer = defineRoute({
  method: 'DELETE',
  path: '/api/relay/doors/:slug/answer',
  summary:
    'Take back what was answered: the island is told no name any more, and the user asked anew',
  tag: 'Relay',
  access: 'user',
  params: SlugParams,
  answers: { 204: null },
  errors: ['signed_out', 'not_found', 'invalid_input', 'rate_limited'],
})
