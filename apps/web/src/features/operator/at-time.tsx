import { LocalTime } from '../../ui/local-time.tsx'

/** A time to the minute, with its day and year. */
export function AtTime({ at }: { at: string }) {
  return <LocalTime at={at} form="long" />
}
