import { readFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'

const dump = await readFile(new URL('./kuma.sql', import.meta.url), 'utf8')

/** Uptime Kuma's database with 100 monitors, after these statements. */
export function kumaDatabase(...statements: readonly string[]): Buffer {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  database.exec(dump)
  for (const statement of statements) database.exec(statement)
  const bytes = Buffer.from(database.serialize())
  database.close()
  return bytes
}
