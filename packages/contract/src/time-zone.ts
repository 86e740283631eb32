import * as v from 'valibot'

const message = 'A time zone is such as Europe/Berlin.'

/** A time zone by its name in the IANA database. */
export const TimeZone = v.pipe(
  v.string(message),
  v.maxLength(64, message),
  v.check(isKnown, message),
)

function isKnown(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
