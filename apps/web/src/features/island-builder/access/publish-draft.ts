import { AccessPolicy } from '@astropelago/contract/islands'
import * as v from 'valibot'
import { keptDraft } from '../../../lib/kept-drafts.ts'

const PublishDraft = v.object({ access: AccessPolicy, isListed: v.boolean(), slug: v.string() })
export type PublishDraft = v.InferOutput<typeof PublishDraft>

/** The unsaved publication settings of an island, which survive a reload. */
export function publishDraft(islandId: string) {
  return keptDraft(`publish-island.${islandId}.v1`, PublishDraft)
}
