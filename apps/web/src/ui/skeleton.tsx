import { classNames } from './class-names.ts'

/** Has the size and rounding of the content, so that nothing moves when it arrives. */
export function Skeleton({ className = 'h-4 w-full rounded-mark' }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames('block bg-hover motion-safe:animate-breathe', className)}
    />
  )
}

/** Rows of a list that is loading. The label is for screen readers. */
export function SkeletonRows({
  label,
  count,
  className = 'h-6',
}: {
  label: string
  count: number
  className?: string
}) {
  return (
    <div data-awaited className="flex flex-col gap-5 py-1">
      <output className="sr-only">{label}</output>
      {Array.from({ length: count }, (_, row) => (
        <Skeleton key={row} className={classNames('w-full rounded-mark', className)} />
      ))}
    </div>
  )
}

/** The placeholder of a whole page or part. It keeps the footer out of sight, which would jump. */
export function AwaitedSkeleton({ className }: { className: string }) {
  return (
    <div data-awaited>
      <Skeleton className={className} />
    </div>
  )
}
