import { useLayoutEffect } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Shown while a page's code loads. */
export function PageSkeleton() {
  // The new page starts at the top. The router has stored the last page's scroll position.
  useLayoutEffect(() => {
    window.scrollTo(0, 0)
  }, [])
  return (
    <>
      <output className="sr-only">Loading the page…</output>
      <div className="flex flex-col gap-5">
        <Skeleton className="h-9 w-56 max-w-full rounded-control" />
        <Skeleton className="h-5 w-md max-w-full rounded-mark" />
      </div>
      <Skeleton className="h-96 w-full rounded-card" />
    </>
  )
}
