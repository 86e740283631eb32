import { usePageTitle } from '../../lib/use-page-title.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { headerGrid } from './island-header.tsx'

export function IslandSkeleton() {
  usePageTitle('Island')
  return (
    <>
      <output className="sr-only">Loading the island…</output>
      <div data-awaited className={headerGrid}>
        <Skeleton className="aspect-[10/9] w-full max-w-sm rounded-card" />
        <div className="flex flex-col gap-5">
          <Skeleton className="h-5 w-32 rounded-mark" />
          <Skeleton className="h-10 w-80 max-w-full rounded-control" />
          <Skeleton className="h-5 w-md max-w-full rounded-mark" />
          <Skeleton className="h-24 w-full rounded-control" />
        </div>
      </div>
      <Skeleton className="h-64 w-full rounded-card" />
    </>
  )
}
