import { sql, type Kysely } from 'kysely'
import { rowList } from '../sql-lists.ts'

const atOnce = 1000

/**
 * Each island gets a picture of its own. Existing islands keep the picture that was drawn from their slug.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('islands')
    .addColumn('picture', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  for (let after = 0; ;) {
    const { rows } = await sql<{ key: number; slug: string }>`
      select key, slug from islands where key > ${after} order by key limit ${sql.lit(atOnce)}`.execute(
      db,
    )
    const last = rows.at(-1)
    if (last === undefined) return
    const drawn = rowList(db, {
      key: ['integer', rows.map(({ key }) => key)],
      picture: ['bigint', rows.map(({ slug }) => drawnBy(slug))],
    })
    await sql`
      update islands set picture = given.picture from (${drawn}) as given
      where given.key = islands.key`.execute(db)
    after = last.key
  }
}

/** Pictures were drawn from this: the slug's FNV-1a hash. */
function drawnBy(slug: string): number {
  let hash = 0x811c9dc5
  for (const letter of slug) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash >>> 0
}
