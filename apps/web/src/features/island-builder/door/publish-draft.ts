import { Door } from '@astropelago/contract/islands'
import * as v from 'valibot'
import { keptDraft } from '../../../lib/kept-drafts.ts'

const PublishDraft = v.object({ door: Door, isListed: v.boolean(), slug: v.string() })
export type PublishDraft = v.InferOutput<typeof PublishDraft>

/** How an island is about to be published, which a reload does not lose. */
export function publishDraft(islandId: string) {
  return keptDraft(`publish-island.${islandId}.v1`, PublishDraft)
}
