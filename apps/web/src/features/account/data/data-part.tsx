import { useQuery } from '@tanstack/react-query'
import { useUser } from '../../../lib/use-user.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { isFirstLoad } from '../../../lib/query-state.ts'
import { DemoNotice } from '../demo-notice.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { OwnDataCard } from './own-data-card.tsx'
import { ownDataQuery } from './own-data-query.ts'

/** The account's data, to export or delete. */
export function DataPart() {
  const { isDemo } = useUser()
  const query = useQuery(ownDataQuery)
  if (isFirstLoad(query)) {
    return (
      <div data-awaited>
        <Skeleton className="h-96 w-full rounded-card" />
      </div>
    )
  }
  return (
    <>
      <OwnDataCard query={query} />
      {isDemo ? <DemoNotice /> : <DeleteAccount />}
    </>
  )
}
