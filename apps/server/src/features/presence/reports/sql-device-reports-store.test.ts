import { insertDevice } from '../../../test/factories.ts'
import { openTestStorage } from '../../../test/open-test-storage.ts'
import { deviceReportsStoreContract } from './device-reports-store.contract.ts'
import { sqlDeviceReportsStore } from './sql-device-reports-store.ts'

deviceReportsStoreContract(async () => {
  const { db } = await openTestStorage()
  return {
    store: sqlDeviceReportsStore(db),
    insertDevice: () => insertDevice(db),
    deleteDevice: async (deviceKey) => {
      await db.deleteFrom('devices').where('key', '=', deviceKey).execute()
    },
  }
})
