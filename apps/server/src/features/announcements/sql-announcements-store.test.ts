import { openTestStorage } from '../../test/open-test-storage.ts'
import { announcementsStoreContract } from './announcements-store.contract.ts'
import { sqlAnnouncementsStore } from './sql-announcements-store.ts'

announcementsStoreContract(async () => sqlAnnouncementsStore((await openTestStorage()).db))
