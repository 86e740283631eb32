import { keptDraft } from '../../../lib/kept-drafts.ts'
import { IslandDraft } from '../details/island-draft.ts'

/** The unsaved form of an island: a new one, or a draft by its id. */
export function islandDraft(which: 'new' | (string & {})) {
  return keptDraft(`island.${which}.v1`, IslandDraft)
}
