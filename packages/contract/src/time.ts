import * as v from 'valibot'

/** A time in a request, ISO 8601 in UTC. */
export const Time = v.pipe(
  v.string(),
  v.isoTimestamp('A time is such as 2030-01-31T12:00:00Z.'),
  v.check((text) => Number.isFinite(Date.parse(text)), 'There is no such time.'),
)
