import LoaderCircle from 'virtual:icon/loader-circle'

/** Decorative: the words beside it say what is awaited. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-4 motion-safe:animate-spin" />
}
