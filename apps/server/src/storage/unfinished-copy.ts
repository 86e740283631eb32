import { sql, type Kysely } from 'kysely'
import { hasTable } from './database-kind.ts'

export const unfinishedCopyTable = 'unfinished_copy'

/** A copy into this database was cut off. The message is the one line that the operator reads. */
export class CopyUnfinished extends Error {
  constructor(source: string) {
    super(
      `A move of all data from ${source} into this database is not finished: ` +
        'run that npm run migrate-storage or restore again, and start the server when that is done',
    )
  }
}

/** Half of a community is worse than none. @throws CopyUnfinished */
export async function refuseUnfinishedCopy<Tables>(db: Kysely<Tables>): Promise<void> {
  if (!(await hasTable(db, unfinishedCopyTable))) return
  const { rows } = await sql<{ source: string }>`
    select source from ${sql.table(unfinishedCopyTable)}`.execute(db)
  throw new CopyUnfinished(rows[0]?.source ?? 'elsewhere')
}
