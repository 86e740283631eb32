import {
  IslandChanges,
  IslandKind,
  type NewIsland,
  NewIsland as NewIslandBody,
  type OwnIsland,
} from '@astropelago/contract/islands'
import { slugFromName } from '@astropelago/contract/slugs'
import { t } from '@lingui/core/macro'
import * as v from 'valibot'
import { noteOn } from '../../../devices/field-notes.ts'
import { type Reading, readBy } from '../../../lib/forms/reading.ts'
import type { ApiForm } from '../../../lib/forms/use-api-form.ts'
import { wishedSlug } from './slug-text.ts'

/** Where an island is: not decided yet, at a link, on a device behind the relay, or on this server. */
const Way = v.picklist(['none', 'link', 'relay', 'hosted'])
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
export type IslandForm = ApiForm<IslandDraft>

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
  const { name, kind, tagline, about, rules, slug, address, carrier } = island
  return {
    name,
    kind,
    tagline,
    about,
    rules,
    slug: wishedSlug(slug),
    way: wayOf(island),
    address: address ?? '',
    carrier: carrier?.id ?? '',
  }
}

function wayOf({ address, isRelayed, isHosted }: OwnIsland): Way {
  if (isHosted) return 'hosted'
  if (isRelayed) return 'relay'
  return address === null ? 'none' : 'link'
}

export function draftSlug({ slug, name }: IslandDraft): string {
  return slug ?? slugFromName(name)
}

/** The data of a new island from the form, or its errors. Uses the contract's own validation. */
export function readNewIsland(draft: IslandDraft): Reading<NewIsland> {
  const slug = draftSlug(draft)
  return readBy(
    NewIslandBody,
    { ...aboutIn(draft), ...placeIn(draft), slug },
    { ...missingIn(draft), slug: slug === '' && t`Give your island an address.` },
  )
}

/** The data of an existing island from the form. The slug is excluded, because it is changed separately. */
export function readIsland(draft: IslandDraft): Reading<IslandChanges> {
  return readBy(IslandChanges, { ...aboutIn(draft), ...placeIn(draft) }, missingIn(draft))
}

export function readAbout(draft: IslandDraft): Reading<IslandChanges> {
  const { name, kind } = missingIn(draft)
  return readBy(IslandChanges, aboutIn(draft), { name, kind })
}

export function readPlace(draft: IslandDraft): Reading<IslandChanges> {
  const { address, carrier } = missingIn(draft)
  return readBy(IslandChanges, placeIn(draft), { address, carrier })
}

function aboutIn({ name, kind, tagline, about, rules }: IslandDraft) {
  return { name, kind, tagline: tagline.trim(), about, rules }
}

function placeIn({ way, address, carrier }: IslandDraft) {
  return {
    address: way === 'link' ? address.trim() : null,
    carrier: hasCarrier(way) && carrier !== '' ? carrier : null,
    isRelayed: way === 'relay',
    isHosted: way === 'hosted',
  }
}

/** Whether a device carries such an island, or shows its state. */
export function hasCarrier(way: Way): boolean {
  return way === 'link' || way === 'relay'
}

function missingIn(draft: IslandDraft) {
  return {
    name: draft.name.trim() === '' && t`Give your island a name.`,
    kind: draft.kind === '' && t`Choose what your island is.`,
    address:
      draft.way === 'link' &&
      draft.address.trim() === '' &&
      t`Enter the link, or choose “Nowhere yet”.`,
    carrier:
      draft.way === 'relay' &&
      draft.carrier === '' &&
      t`Choose the device that the island runs on.`,
  }
}

/** Who can open a link, because hosts should know if only few visitors can. */
export function remarkOn(field: string, text: string): string | undefined {
  return field === 'address' ? noteOn('link', text) : undefined
}
