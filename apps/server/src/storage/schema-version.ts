import { levelsOfDfe8154 } from './migrations/from-dfe8154.ts'

/**
 * - `none`: nobody has ever migrated the database
 * - `dfe8154`: of the last version before migrations began again, which this one upgrades
 * - `earlier`: of a version before that, which this one refuses
 * - `older`: some migrations of this version are pending
 * - `this`: of this version
 * - `newer`: of a later version, which this one refuses
 */
export type SchemaVersion = 'none' | 'dfe8154' | 'earlier' | 'older' | 'this' | 'newer'

/** What the operator reads about a database of an `earlier` version. */
export const earlierVersion =
  'The database is of an earlier version. Start Astropelago dfe8154 once, which upgrades it, then this one.'

/**
 * @param applied the names of the migrations that the database has had
 * @param known those of this version
 */
export function schemaVersion(
  applied: ReadonlySet<string>,
  known: ReadonlySet<string>,
): SchemaVersion {
  if (applied.size === 0) return 'none'
  if (applied.isSubsetOf(known)) return applied.size < known.size ? 'older' : 'this'
  const ofDfe8154 = new Set(levelsOfDfe8154)
  if (!applied.isSubsetOf(ofDfe8154)) return 'newer'
  return applied.size < ofDfe8154.size ? 'earlier' : 'dfe8154'
}
