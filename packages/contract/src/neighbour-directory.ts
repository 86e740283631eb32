import * as v from 'valibot'
import { Status } from './devices.ts'
import { AccessPolicy, IslandKind } from './islands.ts'
import {
  labelMaxLength,
  latMaxDeg,
  lonMaxDeg,
  nameMaxLength,
  pictureMax,
  taglineMaxLength,
} from './limits.ts'
import { defineRoute } from './route.ts'
import { Slug } from './slugs.ts'
import { ShortText } from './text-fields.ts'

/** What installations say to each other (docs/neighbours.md). */
export const directoryProtocol = 'astropelago-directory/1'
export const wellKnownPath = '/.well-known/astropelago'
export const directoryPath = '/api/directory'

/** How an installation is addressed: scheme, host name and, if it is unusual, port. */
export const InstallationAddress = v.pipe(
  v.string(),
  v.maxLength(255),
  v.check(
    (text) =>
      /^https?:\/\/[^/?#@\s]+$/.test(text) &&
      URL.canParse(text) &&
      new URL(text).origin === text &&
      // The same host would have several addresses.
      !new URL(text).hostname.endsWith('.'),
    'An address is such as https://sky.example.',
  ),
)

const base64url = (length: number) => v.pipe(v.string(), v.length(length), v.regex(/^[\w-]+$/))

/** An Ed25519 key, 32 bytes in base64url. */
export const InstallationKey = base64url(43)
/** By such a key, 64 bytes in base64url. */
export const Signature = base64url(86)

const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Of a key; the first one has number 1. */
const KeyNumber = v.pipe(Count, v.maxValue(2 ** 31 - 1))

/**
 * What a signature covers. Statements are sent as three texts: this one as JSON, its signature and the
 * body, whose SHA-256 is in here.
 *
 * - `about`: who an installation is
 * - `page`: a part of a snapshot, in which everything that is shared occurs once
 * - `changes`: what has changed since
 * - `alive`: nothing has changed up to this number
 * - `follow`: a follower asks for the rest
 */
export const StatementHead = v.object({
  protocol: v.literal(directoryProtocol),
  /** Whose statement it is. */
  from: InstallationAddress,
  kind: v.picklist(['about', 'page', 'changes', 'alive', 'follow']),
  /** Milliseconds since 1970. */
  at: Count,
  /** Numbers of different epochs can't be compared. Later epochs have larger numbers. */
  epoch: Count,
  /** The number of the last change that it includes. */
  number: Count,
  /** Of the body, in base64url. */
  sha256: base64url(43),
  /** Of a page, from 0, and of how many. */
  page: v.optional(v.object({ index: Count, total: Count })),
  /** Of a follower: whom it asks, and a text that it never uses again. */
  follow: v.optional(
    v.object({
      to: InstallationAddress,
      key: InstallationKey,
      nonce: v.pipe(v.string(), v.minLength(16), v.maxLength(64)),
    }),
  ),
})
export type StatementHead = v.InferOutput<typeof StatementHead>

/** A change of key: both keys sign that the new one follows the old one. */
export const KeyChange = v.object({
  /** Of the new key. */
  number: KeyNumber,
  oldKey: InstallationKey,
  newKey: InstallationKey,
  bySignature: v.object({ old: Signature, new: Signature }),
})
export type KeyChange = v.InferOutput<typeof KeyChange>

const text = 'This text is too long, or has characters that nobody can see.'

/** The body of `about`. */
export const AboutInstallation = v.object({
  name: ShortText(nameMaxLength, text),
  /** Name and version. */
  software: ShortText(nameMaxLength, text),
  key: InstallationKey,
  keyNumber: KeyNumber,
  /** The last changes of its key, oldest first. */
  keyChanges: v.pipe(v.array(KeyChange), v.maxLength(20)),
  /** The path of its directory. */
  directory: v.literal(directoryPath),
  /** How many it shares. */
  islands: Count,
  devices: Count,
})
export type AboutInstallation = v.InferOutput<typeof AboutInstallation>

/** Ids are unique within one installation only. */
export const DirectoryId = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/))

export const DirectoryDevice = v.object({
  id: DirectoryId,
  label: ShortText(labelMaxLength, text),
  lat: v.pipe(v.number(), v.minValue(-latMaxDeg), v.maxValue(latMaxDeg)),
  lon: v.pipe(v.number(), v.minValue(-lonMaxDeg), v.maxValue(lonMaxDeg)),
  status: Status,
})
export type DirectoryDevice = v.InferOutput<typeof DirectoryDevice>

export const DirectoryIsland = v.object({
  id: DirectoryId,
  slug: Slug,
  name: ShortText(nameMaxLength, text),
  kind: IslandKind,
  picture: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(pictureMax)),
  tagline: v.union([v.literal(''), ShortText(taglineMaxLength, text)]),
  access: AccessPolicy,
  isOpen: v.boolean(),
  /** The shared device at whose place it is; null if there is none. */
  deviceId: v.nullable(DirectoryId),
})
export type DirectoryIsland = v.InferOutput<typeof DirectoryIsland>

/** One subject as it is now. What is withdrawn is an id and nothing else. */
export const DirectoryEntry = v.variant('type', [
  v.object({ type: v.literal('device'), payload: DirectoryDevice }),
  v.object({ type: v.literal('island'), payload: DirectoryIsland }),
  v.object({
    type: v.picklist(['device-removed', 'island-removed']),
    payload: v.object({ id: DirectoryId }),
  }),
])
export type DirectoryEntry = v.InferOutput<typeof DirectoryEntry>

/** The body of `page` and `changes`. */
export const entriesPerStatement = 20_000
export const DirectoryEntries = v.pipe(
  // Counted first: each of millions that match nothing would cost an issue.
  v.array(v.unknown()),
  v.maxLength(entriesPerStatement),
  v.array(DirectoryEntry),
)

/** The head and the body are JSON. */
export const SignedStatement = v.object({
  head: v.string(),
  signature: Signature,
  body: v.string(),
})
export type SignedStatement = v.InferOutput<typeof SignedStatement>

export const readInstallation = defineRoute({
  method: 'GET',
  path: wellKnownPath,
  summary: 'Who this installation is and how much it shares, as a signed statement',
  tag: 'Neighbours',
  access: 'anyone',
  answers: { 200: SignedStatement },
  errors: ['rate_limited', 'overloaded'],
})

export const followDirectory = defineRoute({
  method: 'GET',
  path: directoryPath,
  summary:
    'What this installation shares, and its changes, as server-sent events of signed statements: each has the lines head, signature and body. Followers sign their request in Authorization: Astropelago',
  tag: 'Neighbours',
  access: 'anyone',
  query: v.strictObject({
    /** `<epoch>-<number>` of the last statement. Without it, or if it is unknown, a snapshot comes first. */
    after: v.optional(v.pipe(v.string(), v.maxLength(64))),
  }),
  answerType: 'text/event-stream',
  answers: { 200: v.string() },
  errors: ['invalid_input', 'invalid_follower', 'follower_blocked', 'rate_limited', 'overloaded'],
})
