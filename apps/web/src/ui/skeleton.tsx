import { classNames } from './class-names.ts'

/** Stands where something will be, at its size, so that nothing jumps when it arrives. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'block h-4 rounded-mark bg-hover motion-safe:animate-breathe',
        className,
      )}
    />
  )
}
