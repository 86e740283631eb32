import { sql } from 'kysely'
import type { Database } from '../../storage/storage.ts'
import type { IslandsStore, IslandState } from './islands-store.ts'

/** The one state that an island counts as. */
export const islandState = sql<IslandState>`case
  when islands.hidden_ms is not null
    or islands.user_key in (select key from users where disabled_ms is not null) then 'hidden'
  when published_ms is null then 'draft'
  when is_listed = 1 then 'listed'
  else 'unlisted'
end`

/** Counts islands for metrics and operators. */
export function sqlIslandCountsStore(db: Database): Pick<IslandsStore, 'countByState' | 'figures'> {
  const countByState = async () => {
    const rows = await sql<{ state: IslandState; count: number }>`
      select ${islandState} as state, count(*) as count from islands group by 1`.execute(db)
    const counts = { draft: 0, unlisted: 0, listed: 0, hidden: 0 }
    for (const { state, count } of rows.rows) counts[state] = count
    return counts
  }

  return {
    countByState,

    figures: async () => {
      const { draft, unlisted, listed, hidden } = await countByState()
      const { members } = await db
        .selectFrom('island_members')
        .select((select) => select.fn.countAll<number>().as('members'))
        .executeTakeFirstOrThrow()
      return [
        { name: 'islands', label: 'Islands', value: draft + unlisted + listed + hidden },
        { name: 'islands.drafts', label: 'of them drafts', value: draft },
        { name: 'islands.listed', label: 'of them listed', value: listed },
        { name: 'islands.unlisted', label: 'of them by link or membership alone', value: unlisted },
        { name: 'islands.hidden', label: 'of them hidden', value: hidden },
        { name: 'islands.members', label: 'Members of islands', value: members },
      ]
    },
  }
}
