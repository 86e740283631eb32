import { Skeleton } from '../../../ui/skeleton.tsx'

/** As high as the button that replaces it. */
export function FollowSkeleton() {
  return <Skeleton className="h-10 w-72 max-w-full rounded-control" />
}
