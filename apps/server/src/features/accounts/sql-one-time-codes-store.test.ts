import { insertUser } from '../../test/factories.ts'
import { openTestStorage } from '../../test/open-test-storage.ts'
import { describeOneTimeCodesStore } from './one-time-codes-store.contract.ts'
import { sqlOneTimeCodesStore } from './sql-one-time-codes-store.ts'

describeOneTimeCodesStore(async () => {
  const { db } = await openTestStorage()
  return { codes: sqlOneTimeCodesStore(db), insertUser: () => insertUser(db) }
})
