import { Skeleton } from '../../../ui/skeleton.tsx'

const rows = Array.from({ length: 9 }, (_, index) => index)

export function ListSkeleton() {
  return (
    <div className="flex flex-col gap-6 p-4">
      {rows.map((row) => (
        <Skeleton key={row} className="h-5 w-full rounded-mark" />
      ))}
    </div>
  )
}
