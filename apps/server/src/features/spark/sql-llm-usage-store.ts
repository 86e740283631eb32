import { hasUpdated } from '../../storage/count-rows.ts'
import { lockTotal } from '../../storage/locks.ts'
import type { Database } from '../../storage/storage.ts'
import type { LlmUsageStore } from './llm-usage-store.ts'

export function sqlLlmUsageStore(db: Database): LlmUsageStore {
  return {
    reserve: (userKey, day, tokens, budget, totalBudget) =>
      db.transaction().execute(async (transaction) => {
        await lockTotal(transaction, 'llm_usage')
        await transaction
          .deleteFrom('llm_usage')
          .where('user_key', '=', userKey)
          .where('day', '<', day)
          .execute()
        await transaction
          .insertInto('llm_usage')
          .values({ user_key: userKey, day, calls: 0, tokens: 0 })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
        const total = await transaction
          .selectFrom('llm_usage')
          .select(({ fn }) => [
            fn.sum<number | null>('calls').as('calls'),
            fn.sum<number | null>('tokens').as('tokens'),
          ])
          .where('day', '=', day)
          .executeTakeFirstOrThrow()
        const isOver =
          Number(total.calls) >= totalBudget.calls ||
          Number(total.tokens) > totalBudget.tokens - tokens
        if (isOver) return false
        const usage = transaction
          .updateTable('llm_usage')
          .set((row) => ({ calls: row('calls', '+', 1), tokens: row('tokens', '+', tokens) }))
          .where('user_key', '=', userKey)
          .where('day', '=', day)
          .where('calls', '<', budget.calls)
          .where('tokens', '<=', budget.tokens - tokens)
        return await hasUpdated(usage)
      }),

    list: (userKey) =>
      db
        .selectFrom('llm_usage')
        .select(['day', 'calls', 'tokens'])
        .where('user_key', '=', userKey)
        .orderBy('day')
        .execute(),

    giveBack: async (userKey, day, tokens) => {
      await db
        .updateTable('llm_usage')
        .set((row) => ({ tokens: row('tokens', '-', tokens) }))
        .where('user_key', '=', userKey)
        .where('day', '=', day)
        .execute()
    },
  }
}
