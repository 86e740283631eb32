import { useLayoutEffect } from 'react'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Stands for a page whose code is still on its way. */
export function PageSkeleton() {
  // Its page will be read from the top; where the last one was left, the router has noted.
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
