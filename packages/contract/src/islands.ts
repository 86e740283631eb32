import * as v from 'valibot'
import { Link } from './devices.ts'
import { IslandId } from './island-id.ts'
import {
  aboutMaxLength,
  nameMaxLength,
  neighboursPerIsland,
  pauseDaysMax,
  pauseTextMaxLength,
  pictureMax,
  rulesMaxLength,
  slugMaxLength,
  taglineMaxLength,
} from './limits.ts'
import { defineRoute } from './route.ts'
import { Slug } from './slugs.ts'
import { LongText, ShortText } from './text-fields.ts'
import { Time } from './time.ts'

/** SPEC's social spaces, media hubs and creative labs. */
export const IslandKind = v.picklist(['social', 'media', 'lab'], 'Choose one of the kinds.')
export type IslandKind = v.InferOutput<typeof IslandKind>

/** Who may enter: everybody, any signed-in user, or users whom the host let in. */
export const AccessPolicy = v.picklist(['public', 'members', 'invited'], 'Choose one of the doors.')
export type AccessPolicy = v.InferOutput<typeof AccessPolicy>

/** Nobody but the host may enter. `text` is a sentence by the host, or ''. */
export const IslandPause = v.object({
  text: v.string(),
  /** When it ends by itself, ISO 8601 in UTC; null if the host ends it. */
  until: v.nullable(v.string()),
})
export type IslandPause = v.InferOutput<typeof IslandPause>

/** Whether an island can be entered now. */
const IslandState = v.object({
  isOpen: v.boolean(),
  /** Null if it is not paused. A paused island is not open. */
  pause: v.nullable(IslandPause),
  /** Whether a device or a check shows if it is up. A link without one counts as open. */
  isWatched: v.boolean(),
  /** Since when it is open, closed or paused; null if unknown. ISO 8601 in UTC. */
  since: v.nullable(v.string()),
})

/** What everybody may see of a listed island, and of any other one those who may see it. */
export const IslandCard = v.object({
  id: v.string(),
  slug: v.string(),
  name: v.string(),
  kind: IslandKind,
  /** The seed of its picture, which also depends on its kind. */
  picture: v.number(),
  tagline: v.string(),
  access: AccessPolicy,
  /** The host's display name; null if it belongs to the installation. */
  host: v.nullable(v.string()),
  ...IslandState.entries,
  /** The public device that carries it, at whose location it appears; null if there is none. */
  deviceId: v.nullable(v.string()),
  publishedAt: v.nullable(v.string()),
})
export type IslandCard = v.InferOutput<typeof IslandCard>

/**
 * What a viewer is to an island. `asked` waits for the host's answer; `guest` is signed in and none of the
 * others.
 */
export const IslandRole = v.picklist(['host', 'member', 'asked', 'guest', 'visitor'])
export type IslandRole = v.InferOutput<typeof IslandRole>

const Hidden = v.nullable(v.object({ at: v.string(), reason: v.string() }))

/** An operator's reason to stop the relay for an island, or for all islands of its host. */
const RelayStopped = v.nullable(
  v.object({ at: v.string(), reason: v.string(), ofHost: v.boolean() }),
)

/** The part of an island's page that shows its rules. */
export const rulesAnchor = 'rules'

/** What a host asks of visitors: plain text with line breaks, or ''. */
const Rules = {
  rules: v.string(),
  /** When they last changed after the island was published; null if they never did. */
  rulesChangedAt: v.nullable(v.string()),
}

/** An island's front page, as one viewer may see it. */
export const IslandView = v.object({
  ...IslandCard.entries,
  /** The path of the host's picture; null if there is none. */
  hostAvatar: v.nullable(v.string()),
  about: v.string(),
  ...Rules,
  isListed: v.boolean(),
  memberCount: v.number(),
  role: IslandRole,
  mayEnter: v.boolean(),
  /**
   * Where Enter leads; null if the viewer may not enter, the island is paused, or there is nowhere to go.
   */
  address: v.nullable(v.string()),
  /** Whether visitors come through the relay. */
  isRelayed: v.boolean(),
  /** Whether they come to pages that this server hosts. */
  isHosted: v.boolean(),
  /** Whether the viewer can join, or ask to. */
  mayJoin: v.boolean(),
  /** Whether the viewer can leave a note in its log. */
  mayNote: v.boolean(),
  /** Neighbours that the viewer may see. */
  neighbours: v.array(IslandCard),
  /** Since when and why an operator hides it. Only the host sees this. */
  hidden: Hidden,
  /** Since when and why the relay carries nobody to it. Only the host sees this. */
  relayStopped: RelayStopped,
})
export type IslandView = v.InferOutput<typeof IslandView>

/** An island as its host sees it. */
export const OwnIsland = v.object({
  ...IslandCard.entries,
  about: v.string(),
  ...Rules,
  isListed: v.boolean(),
  /** Whether other installations may show it while it is listed. */
  isShared: v.boolean(),
  /** A link of its own; null if it has none, or if visitors come to this server. */
  address: v.nullable(v.string()),
  /** Whether visitors come through the relay, to the agent on its device. */
  isRelayed: v.boolean(),
  /** Whether they come to pages that this server hosts. */
  isHosted: v.boolean(),
  /** Its address on this server; null if it has a link, or if this server gives islands no addresses. */
  relayAddress: v.nullable(v.string()),
  /** The host's device that carries it, public or private; null if there is none. */
  carrier: v.nullable(v.object({ id: v.string(), label: v.string() })),
  /** The slugs of its neighbours, in order. */
  neighbours: v.array(v.string()),
  oldSlugs: v.array(v.object({ slug: v.string(), until: v.string() })),
  createdAt: v.string(),
  memberCount: v.number(),
  /** How many requests wait for an answer. */
  requestCount: v.number(),
  /** Visitors' notes in the last 24 hours, counted up to `notesCounted`. */
  noteCount: v.number(),
  hidden: Hidden,
  relayStopped: RelayStopped,
})
export type OwnIsland = v.InferOutput<typeof OwnIsland>

const nameMessage = `A name has 1 to ${nameMaxLength} characters, all of them visible.`
const taglineMessage = `A tagline has at most ${taglineMaxLength} characters, all of them text.`
const aboutMessage = `This has at most ${aboutMaxLength} characters, all of them text.`
const pictureMessage = `A picture is a whole number from 0 to ${pictureMax}.`
const rulesMessage = `Rules have at most ${rulesMaxLength} characters, all of them text.`
const neighboursMessage = `An island names at most ${neighboursPerIsland} neighbours, each of them once.`

const Name = ShortText(nameMaxLength, nameMessage)
const Tagline = v.union(
  [v.literal(''), ShortText(taglineMaxLength, taglineMessage)],
  taglineMessage,
)
const Neighbours = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(slugMaxLength))),
  v.maxLength(neighboursPerIsland, neighboursMessage),
  v.check((slugs) => new Set(slugs).size === slugs.length, neighboursMessage),
)

const Picture = v.pipe(
  v.number(pictureMessage),
  v.integer(pictureMessage),
  v.minValue(0, pictureMessage),
  v.maxValue(pictureMax, pictureMessage),
)

const IslandFields = {
  name: Name,
  kind: IslandKind,
  picture: Picture,
  tagline: Tagline,
  about: LongText(aboutMaxLength, aboutMessage),
  rules: LongText(rulesMaxLength, rulesMessage),
  address: v.nullable(Link),
  /** The id of one of the host's devices. */
  carrier: v.nullable(v.string()),
  /** Used instead of a link. Requires a carrier. */
  isRelayed: v.boolean('Say whether visitors come through the relay.'),
  /** Used instead of a link or the relay. */
  isHosted: v.boolean('Say whether this server hosts the pages.'),
  isShared: v.boolean('Say whether other installations may show it.'),
}

/** A new island is a draft: its access policy is `invited`, and it is not listed. */
export const NewIsland = v.strictObject({
  name: IslandFields.name,
  kind: IslandFields.kind,
  /** By default, the slug or, without one, the name determines it. */
  picture: v.exactOptional(IslandFields.picture),
  tagline: v.optional(IslandFields.tagline, ''),
  about: v.optional(IslandFields.about, ''),
  rules: v.optional(IslandFields.rules, ''),
  address: v.optional(IslandFields.address, null),
  carrier: v.optional(IslandFields.carrier, null),
  isRelayed: v.optional(IslandFields.isRelayed, false),
  isHosted: v.optional(IslandFields.isHosted, false),
  /**
   * The slug that it gets once it is published. Until then the slug ends in six random characters. By
   * default, it is made from the name.
   */
  slug: v.exactOptional(Slug),
})
export type NewIsland = v.InferOutput<typeof NewIsland>

/** Absent fields stay as they are. A link, the relay and hosted pages replace each other. */
export const IslandChanges = v.strictObject({
  name: v.exactOptional(IslandFields.name),
  kind: v.exactOptional(IslandFields.kind),
  picture: v.exactOptional(IslandFields.picture),
  tagline: v.exactOptional(IslandFields.tagline),
  about: v.exactOptional(IslandFields.about),
  rules: v.exactOptional(IslandFields.rules),
  address: v.exactOptional(IslandFields.address),
  carrier: v.exactOptional(IslandFields.carrier),
  isRelayed: v.exactOptional(IslandFields.isRelayed),
  isHosted: v.exactOptional(IslandFields.isHosted),
  isShared: v.exactOptional(IslandFields.isShared),
  neighbours: v.exactOptional(Neighbours),
})
export type IslandChanges = v.InferOutput<typeof IslandChanges>

const pauseTextMessage = `This has at most ${pauseTextMaxLength} characters in one line, all of them text.`

export const NewPause = v.strictObject({
  text: v.optional(
    v.union([v.literal(''), ShortText(pauseTextMaxLength, pauseTextMessage)], pauseTextMessage),
    '',
  ),
  until: v.optional(v.nullable(Time), null),
})
export type NewPause = v.InferOutput<typeof NewPause>

/** What is wrong with the end of a pause; undefined if nothing is. */
export function pauseEndProblem(untilMs: number, nowMs: number): string | undefined {
  if (untilMs <= nowMs) return 'Choose a time that is still to come.'
  if (untilMs - nowMs > pauseDaysMax * 86_400_000)
    return `A pause lasts at most ${pauseDaysMax} days.`
  return undefined
}

const own = ['signed_out', 'not_found'] as const

export const listOwnIslands = defineRoute({
  method: 'GET',
  path: '/api/me/islands',
  summary: 'The islands that the user hosts, drafts too, the newest first',
  tag: 'Islands',
  access: 'user',
  answers: { 200: v.array(OwnIsland) },
  errors: ['signed_out'],
})

export const listJoinedIslands = defineRoute({
  method: 'GET',
  path: '/api/me/memberships',
  summary: 'The islands that the user is a member of',
  tag: 'Islands',
  access: 'user',
  answers: { 200: v.array(IslandCard) },
  errors: ['signed_out'],
})

export const checkSlug = defineRoute({
  method: 'GET',
  path: '/api/me/slugs/:slug',
  summary: 'Whether the user’s islands could use this slug, and if not, why',
  tag: 'Islands',
  access: 'user',
  params: v.strictObject({ slug: v.pipe(v.string(), v.maxLength(64)) }),
  answers: { 200: v.object({ isFree: v.boolean(), sentence: v.nullable(v.string()) }) },
  errors: ['signed_out'],
})

export const createIsland = defineRoute({
  method: 'POST',
  path: '/api/islands',
  summary: 'Make an island as a draft, which only its host can see',
  tag: 'Islands',
  access: 'user',
  body: NewIsland,
  answers: { 201: OwnIsland },
  errors: ['signed_out', 'demo_account', 'invalid_island', 'island_limit', 'server_full'],
  invalid: 'invalid_island',
})

export const getOwnIsland = defineRoute({
  method: 'GET',
  path: '/api/islands/:id',
  summary: 'One of the user’s own islands',
  tag: 'Islands',
  access: 'user',
  params: IslandId,
  answers: { 200: OwnIsland },
  errors: own,
})

export const updateIsland = defineRoute({
  method: 'PATCH',
  path: '/api/islands/:id',
  summary: 'Change the details of the user’s own island',
  tag: 'Islands',
  access: 'user',
  params: IslandId,
  body: IslandChanges,
  answers: { 200: OwnIsland },
  errors: [...own, 'invalid_island', 'rate_limited'],
  invalid: 'invalid_island',
})

export const publishIsland = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/publish',
  summary: 'Publish an island, or change who may see and enter it',
  tag: 'Islands',
  access: 'user',
  params: IslandId,
  body: v.strictObject({
    access: AccessPolicy,
    /** Whether it is in the directory, for everybody to find. */
    isListed: v.boolean(),
    /** Whether other installations may show it while it is listed. By default, this stays as it is. */
    isShared: v.exactOptional(IslandFields.isShared),
    /**
     * The plain slug to use if everybody may see the island: that are public, or listed. By default, it
     * keeps its slug without the six random characters.
     */
    slug: v.exactOptional(Slug),
  }),
  answers: { 200: OwnIsland },
  errors: [
    ...own,
    'demo_account',
    'invalid_island',
    'slug_taken',
    'pages_in_review',
    'rate_limited',
  ],
  invalid: 'invalid_island',
})

export const renameSlug = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/slug',
  summary: 'Change the slug of the user’s own island; the old one leads to it for 90 days',
  tag: 'Islands',
  access: 'user',
  params: IslandId,
  body: v.strictObject({ slug: Slug }),
  answers: { 200: OwnIsland },
  errors: [...own, 'invalid_island', 'slug_taken', 'rate_limited'],
  invalid: 'invalid_island',
})

export const pauseIsland = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/pause',
  summary:
    'Pause the user’s own island until a time or until it is continued; during a pause, change its text and end',
  tag: 'Islands',
  access: 'user',
  params: IslandId,
  body: NewPause,
  answers: { 200: OwnIsland },
  errors: [...own, 'invalid_island', 'rate_limited'],
  invalid: 'invalid_island',
})

export const continueIsland = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/continue',
  summary: 'End the pause of the user’s own island, if there is one',
  tag: 'Islands',
  access: 'user',
  params: IslandId,
  answers: { 200: OwnIsland },
  errors: [...own, 'rate_limited'],
})

export const closeIsland = defineRoute({
  method: 'POST',
  path: '/api/islands/:id/close',
  summary: 'Close an island for good, with its members and its log',
  tag: 'Islands',
  access: 'user',
  params: IslandId,
  /** The current slug, to prevent closing it by mistake. */
  body: v.strictObject({ slug: v.string() }),
  answers: { 204: null },
  errors: [...own, 'invalid_input'],
})

export const getIsland = defineRoute({
  method: 'GET',
  path: '/api/islands/by-slug/:slug',
  summary: 'An island by its slug or an old one, for everybody who may see it',
  tag: 'Islands',
  access: 'anyone',
  params: v.strictObject({ slug: v.pipe(v.string(), v.maxLength(64)) }),
  answers: { 200: IslandView },
  errors: ['not_found', 'rate_limited'],
})
