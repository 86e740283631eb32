import LoaderCircle from 'virtual:icon/loader-circle'

/** Decorative: the text beside it says what is loading. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-4 motion-safe:animate-spin" />
}
