import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const chunkBytes = 256 * 1024

/**
 * Gives a stopped server's first user so many public islands, each with files of these sizes in bytes. The
 * first file is index.html, the others are pictures that nothing compresses.
 */
export function seedPages(
  dataDir: string,
  { islands, sizes }: { readonly islands: number; readonly sizes: readonly number[] },
): void {
  const database = new DatabaseSync(join(dataDir, 'astropelago.sqlite'))
  const island = database.prepare(`
    insert into islands (id, user_key, slug, name, kind, tagline, about, access, is_listed, is_hosted,
      created_ms, published_ms)
    values (?, (select min(key) from users), ?, 'Island', 'social', '', '', 'public', 0, 1, 1, 1)
    returning key`)
  const deployment = database.prepare(`
    insert into page_deployments (id, island_key, state, is_live, source, created_ms, changed_ms, file_count,
      bytes, stored_bytes)
    values (?, ?, 'published', 1, 'upload', 1, 1, ?, ?, ?) returning key`)
  const slug = database.prepare(
    'insert into island_slugs (slug, island_key, user_key) select slug, key, user_key from islands where key = ?',
  )
  const file = database.prepare('insert into page_files values (?, ?, ?, ?, null, null, null)')
  const chunk = database.prepare('insert into page_chunks values (?, ?, 0, ?, ?)')
  const total = sizes.reduce((sum, size) => sum + size, 0)
  // Trusted, so that no browser is asked first.
  database.exec('update users set relay_trusted_ms = 1')
  for (let number = 1; number <= islands; number += 1) {
    database.exec('begin')
    const islandKey = keyOf(island.get(`pages-${number}`, `pages-${number}`))
    slug.run(islandKey)
    const live = deployment.get(`pages-${number}`, islandKey, sizes.length, total, total)
    const deploymentKey = keyOf(live)
    for (const [at, size] of sizes.entries()) {
      const bytes = randomBytes(size)
      const hash = createHash('sha256').update(bytes).digest()
      file.run(deploymentKey, at === 0 ? 'index.html' : `${at}.jpg`, hash, size)
      for (let from = 0; from < size; from += chunkBytes) {
        const piece = bytes.subarray(from, from + chunkBytes)
        chunk.run(islandKey, hash, from / chunkBytes, piece)
      }
    }
    database.exec('commit')
  }
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}

export const pagesHost = (number: number, port: number) => `pages-${number}.localhost:${port}`

function keyOf(row: Record<string, unknown> | undefined): number {
  return Number(row?.['key'])
}
