import { LoaderCircle } from 'lucide-react'
import { classNames } from './class-names.ts'

/** Decorative: the words beside it say what is awaited. */
export function Spinner({ className }: { className?: string }) {
  return (
    <LoaderCircle
      aria-hidden
      className={classNames('size-4 motion-safe:animate-spin', className)}
    />
  )
}
