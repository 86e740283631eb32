import { insertDevice } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { deviceReportsStoreContract } from './device-reports-store.contract.ts'
import { sqlDeviceReportsStore } from './sql-device-reports-store.ts'

deviceReportsStoreContract(async () => {
  const storage = await openTestStorage()
  const { db } = storage
  return {
    store: sqlDeviceReportsStore(storage),
    insertDevice: () => insertDevice(db),
    deleteDevice: async (deviceKey) => {
      await db.deleteFrom('devices').where('key', '=', deviceKey).execute()
    },
  }
})
