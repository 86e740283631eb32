import { openTestStorage } from '../../test/open-test-storage.ts'
import { auditStoreContract } from './audit-store.contract.ts'
import { sqlAuditStore } from './sql-audit-store.ts'

auditStoreContract(async () =>
  sqlAuditStore((await openTestStorage()).db, {
    pruneSize: 2,
    maxPerUser: 3,
    maxOfUsers: 5,
  }),
)
