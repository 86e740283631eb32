import { islandLlmVisitorShare } from '@astropelago/contract/limits'
import { sql } from 'kysely'
import { lockRows } from '../../storage/locks.ts'
import type { Storage } from '../../storage/storage.ts'

export type IslandLlmStore = ReturnType<typeof sqlIslandLlmStore>

/** How much of the language model islands’ visitors may use, and have used. Days are in UTC: 2030-01-31. */
export function sqlIslandLlmStore({ db }: Pick<Storage, 'db'>) {
  return {
    readBudget: async (islandKey: number): Promise<number> => {
      const row = await db
        .selectFrom('island_llm_budgets')
        .select('daily_tokens')
        .where('island_key', '=', islandKey)
        .executeTakeFirst()
      return row?.daily_tokens ?? 0
    },

    setBudget: async (islandKey: number, dailyTokens: number): Promise<void> => {
      await db
        .insertInto('island_llm_budgets')
        .values({ island_key: islandKey, daily_tokens: dailyTokens })
        .onConflict((conflict) =>
          conflict.column('island_key').doUpdateSet({ daily_tokens: dailyTokens }),
        )
        .execute()
    },

    readUse: async (islandKey: number, day: string): Promise<number> => {
      const row = await db
        .selectFrom('island_llm_usage')
        .select(({ fn }) => fn.sum<number | null>('tokens').as('tokens'))
        .where('island_key', '=', islandKey)
        .where('day', '=', day)
        .executeTakeFirst()
      return row?.tokens ?? 0
    },

    /** Counts a call unless it exceeds the island’s budget or the visitor’s share of it. */
    reserve: (islandKey: number, userKey: number, day: string, tokens: number): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        await lockRows(transaction, 'islands', [islandKey])
        const { rows } = await sql<{ budget: number; used: number; own: number }>`
          select daily_tokens as budget,
            (select coalesce(sum(tokens), 0) from island_llm_usage as held
              where held.island_key = ${islandKey} and day = ${day}) as used,
            (select coalesce(sum(tokens), 0) from island_llm_usage as held
              where held.island_key = ${islandKey} and day = ${day} and user_key = ${userKey}) as own
          from island_llm_budgets where island_key = ${islandKey}`.execute(transaction)
        const [row] = rows
        if (row === undefined || row.used + tokens > row.budget) return false
        if (row.own + tokens > row.budget * islandLlmVisitorShare) return false
        await transaction
          .insertInto('island_llm_usage')
          .values({ island_key: islandKey, user_key: userKey, day, tokens })
          .onConflict((conflict) =>
            conflict
              .columns(['island_key', 'day', 'user_key'])
              .doUpdateSet({ tokens: sql`island_llm_usage.tokens + ${tokens}` }),
          )
          .execute()
        return true
      }),

    /** Gives back what a call did not cost; negative if it cost more. */
    giveBack: async (islandKey: number, userKey: number, day: string, tokens: number) => {
      await db
        .updateTable('island_llm_usage')
        .set({ tokens: sql`tokens - ${tokens}` })
        .where('island_key', '=', islandKey)
        .where('user_key', '=', userKey)
        .where('day', '=', day)
        .execute()
    },

    deleteBefore: async (day: string): Promise<void> => {
      await db.deleteFrom('island_llm_usage').where('day', '<', day).execute()
    },
  }
}
