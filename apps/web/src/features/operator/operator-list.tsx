import { Navigate } from 'react-router'
import { ApiError } from '../../lib/api-error.ts'
import { paths } from '../../paths.ts'
import { LoadedList, type LoadedListProps } from '../../ui/loaded-list.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** A list that only operators may read. */
export function OperatorList(props: Omit<LoadedListProps, 'skeleton'>) {
  // A former operator is redirected like any other user.
  if (isUnknown(props.query.error)) return <Navigate to={paths.discover()} replace />
  return <LoadedList {...props} skeleton={<ListSkeleton />} />
}

function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'not_found'
}

const skeletonRows = Array.from({ length: 6 }, (_, index) => index)

function ListSkeleton() {
  return (
    <div data-awaited className="flex flex-col gap-6 py-2">
      {skeletonRows.map((row) => (
        <Skeleton key={row} className="h-6 w-full rounded-mark" />
      ))}
    </div>
  )
}
