import { sql } from 'kysely'

/** A user's picture, in a query that joins `users`. A disabled account shows none. */
export const shownAvatar = sql<
  string | null
>`case when users.disabled_ms is null then users.avatar end`
