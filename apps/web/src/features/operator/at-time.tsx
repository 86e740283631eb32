import { LocalTime } from '../../ui/local-time.tsx'

/** A time with date and year, to the minute. */
export function AtTime({ at }: { at: string }) {
  return <LocalTime at={at} form="long" />
}
