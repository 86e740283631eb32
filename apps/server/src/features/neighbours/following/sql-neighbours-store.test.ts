import { openTestStorage } from '../../../test/open-test-storage.ts'
import { neighboursStoreContract } from './neighbours-store.contract.ts'
import { sqlNeighboursStore } from './sql-neighbours-store.ts'

neighboursStoreContract(async () => sqlNeighboursStore(await openTestStorage()))
