import type { FieldErrors } from '@astropelago/contract/error-body'
import {
  IslandChanges,
  IslandKind,
  type NewIsland,
  NewIsland as NewIslandBody,
  type OwnIsland,
} from '@astropelago/contract/islands'
import { slugFromName } from '@astropelago/contract/slugs'
import * as v from 'valibot'
import { wishedSlug } from './slug-text.ts'

/** Where an island is: not decided yet, at a link of its own, or on a device behind the relay. */
const Way = v.picklist(['none', 'link', 'relay'])
export type Way = v.InferOutput<typeof Way>

/** An island as typed in the form. */
export const IslandDraft = v.object({
  name: v.string(),
  /** Empty until a kind is chosen. */
  kind: v.union([v.literal(''), IslandKind]),
  tagline: v.string(),
  about: v.string(),
  // Missing in drafts stored before islands had rules.
  rules: v.optional(v.string(), ''),
  /** Null while it follows the name. */
  slug: v.nullable(v.string()),
  way: Way,
  address: v.string(),
  /** The id of the device that is watched for the island or carries it, or empty. */
  carrier: v.string(),
})
export type IslandDraft = v.InferOutput<typeof IslandDraft>

export const emptyDraft: IslandDraft = {
  name: '',
  kind: '',
  tagline: '',
  about: '',
  rules: '',
  slug: null,
  way: 'none',
  address: '',
  carrier: '',
}

export function draftOf(island: OwnIsland): IslandDraft {
  const { name, kind, tagline, about, rules, slug, address, isRelayed, carrier } = island
  return {
    name,
    kind,
    tagline,
    about,
    rules,
    slug: wishedSlug(slug),
    way: isRelayed ? 'relay' : address === null ? 'none' : 'link',
    address: address ?? '',
    carrier: carrier?.id ?? '',
  }
}

export function draftSlug({ slug, name }: IslandDraft): string {
  return slug ?? slugFromName(name)
}

export type Reading<Details> =
  | { readonly isReadable: true; readonly details: Details }
  | { readonly isReadable: false; readonly errors: FieldErrors }

const missing = {
  name: 'Give your island a name.',
  kind: 'Choose what your island is.',
  slug: 'Give your island an address.',
  address: 'Enter the link, or choose “Nowhere yet”.',
  carrier: 'Choose the device that the island runs on.',
} as const

/** The data of a new island from the form, or its errors. Uses the contract's own validation. */
export function readNewIsland(draft: IslandDraft): Reading<NewIsland> {
  const body = { ...aboutIn(draft), ...placeIn(draft), slug: draftSlug(draft) }
  return readBy(NewIslandBody, draft, body)
}

/** The data of an existing island from the form. The slug is excluded, because it is changed separately. */
export function readIsland(draft: IslandDraft): Reading<IslandChanges> {
  return readBy(IslandChanges, draft, { ...aboutIn(draft), ...placeIn(draft) })
}

/** Only the texts that visitors read. */
export function readAbout(draft: IslandDraft): Reading<IslandChanges> {
  return readBy(IslandChanges, draft, aboutIn(draft))
}

/** Only where the island is. */
export function readPlace(draft: IslandDraft): Reading<IslandChanges> {
  return readBy(IslandChanges, draft, placeIn(draft))
}

function aboutIn({ name, kind, tagline, about, rules }: IslandDraft) {
  return { name, kind, tagline: tagline.trim(), about, rules }
}

function placeIn({ way, address, carrier }: IslandDraft) {
  return {
    address: way === 'link' ? address.trim() : null,
    carrier: way !== 'none' && carrier !== '' ? carrier : null,
    isRelayed: way === 'relay',
  }
}

function readBy<Details>(
  schema: v.GenericSchema<unknown, Details>,
  draft: IslandDraft,
  body: Readonly<Record<string, unknown>>,
): Reading<Details> {
  const { success, output, issues = [] } = v.safeParse(schema, body)
  const lacksCarrier = 'carrier' in body && draft.way === 'relay' && draft.carrier === ''
  if (success && !lacksCarrier) return { isReadable: true, details: output }
  const errors: Record<string, string> = {}
  for (const issue of issues) {
    const field = v.getDotPath(issue)
    if (field !== null) errors[field] ??= issue.message
  }
  const empty = {
    name: draft.name.trim() === '',
    kind: draft.kind === '',
    slug: draftSlug(draft) === '',
    address: draft.way === 'link' && draft.address.trim() === '',
    carrier: lacksCarrier,
  }
  for (const field of ['name', 'kind', 'slug', 'address', 'carrier'] as const) {
    if (field in body && empty[field]) errors[field] = missing[field]
  }
  return { isReadable: false, errors }
}

export type NotedField = 'name' | 'tagline' | 'about' | 'rules' | 'address'

/** The server's reason to refuse a field's text, if it would. Empty fields have no error. */
export function refusalOf(field: NotedField, typed: string): string | undefined {
  if (typed.trim() === '') return undefined
  const { issues } = v.safeParse(IslandChanges, { [field]: typed.trim() })
  return issues?.[0].message
}
