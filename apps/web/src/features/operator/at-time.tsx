const short = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const full = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long' })

/** A time to the minute, here where it is read; the whole of it shows on hover. */
export function AtTime({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={full.format(date)} data-numeric>
      {short.format(date)}
    </time>
  )
}
