import { openTestStorage } from '../../test/open-test-storage.ts'
import { describeAccountsStore } from './accounts-store.contract.ts'
import { sqlAccountsStore } from './sql-accounts-store.ts'

describeAccountsStore('SQLite', async () => sqlAccountsStore(await openTestStorage()))
