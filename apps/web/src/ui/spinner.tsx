import { LoaderCircle } from 'lucide-react'

/** Decorative: the words beside it say what is awaited. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-4 motion-safe:animate-spin" />
}
