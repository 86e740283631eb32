import { insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { llmUsageStoreContract } from './llm-usage-store.contract.ts'
import { sqlLlmUsageStore } from './sql-llm-usage-store.ts'

llmUsageStoreContract(async () => {
  const { db } = await openTestStorage()
  return { store: sqlLlmUsageStore(db), insertUser: () => insertUser(db) }
})
