import { sql } from 'kysely'

/** The picture of a user in a query that joins `users`: while the account is turned off it has none. */
export const shownAvatar = sql<
  string | null
>`case when users.disabled_ms is null then users.avatar end`
