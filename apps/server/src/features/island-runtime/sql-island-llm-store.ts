import { islandLlmVisitorShare } from '@astropelago/contract/limits'
import { sql } from 'kysely'
import { lockRows } from '../../storage/locks.ts'
import type { Storage } from '../../storage/storage.ts'
import type { IslandLlmStore } from './island-llm-store.ts'

export function sqlIslandLlmStore({ db }: Pick<Storage, 'db'>): IslandLlmStore {
  return {
    readBudget: async (islandKey) => {
      const row = await db
        .selectFrom('island_llm_budgets')
        .select('daily_tokens')
        .where('island_key', '=', islandKey)
        .executeTakeFirst()
      return row?.daily_tokens ?? 0
    },

    setBudget: async (islandKey, dailyTokens) => {
      await db
        .insertInto('island_llm_budgets')
        .values({ island_key: islandKey, daily_tokens: dailyTokens })
        .onConflict((conflict) =>
          conflict.column('island_key').doUpdateSet({ daily_tokens: dailyTokens }),
        )
        .execute()
    },

    readUse: async (islandKey, day) => {
      const row = await db
        .selectFrom('island_llm_usage')
        .select(({ fn }) => fn.sum<number | null>('tokens').as('tokens'))
        .where('island_key', '=', islandKey)
        .where('day', '=', day)
        .executeTakeFirst()
      return row?.tokens ?? 0
    },

    reserve: (islandKey, userKey, day, tokens) =>
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

    giveBack: async (islandKey, userKey, day, tokens) => {
      await db
        .updateTable('island_llm_usage')
        .set({ tokens: sql`tokens - ${tokens}` })
        .where('island_key', '=', islandKey)
        .where('user_key', '=', userKey)
        .where('day', '=', day)
        .execute()
    },

    deleteBefore: async (day) => {
      await db.deleteFrom('island_llm_usage').where('day', '<', day).execute()
    },
  }
}
