import { classNames } from './class-names.ts'

/** Stands where something will be, at its size and roundness, so that nothing jumps when it arrives. */
export function Skeleton({ className = 'h-4 w-full rounded-mark' }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames('block bg-hover motion-safe:animate-breathe', className)}
    />
  )
}
