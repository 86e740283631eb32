import { classNames } from './class-names.ts'

/** A placeholder with the size and rounding of the content, so that nothing moves when it arrives. */
export function Skeleton({ className = 'h-4 w-full rounded-mark' }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames('block bg-hover motion-safe:animate-breathe', className)}
    />
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
