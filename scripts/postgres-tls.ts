/**
 * Connects to a database by TLS as DATABASE_URL asks for, and checks that an untrusted certificate is
 * refused.
 */
import assert from 'node:assert/strict'
import { timeLimits } from '../apps/server/src/storage/postgres-settings.ts'
import { openPostgresStorage } from '../apps/server/src/storage/postgres-storage.ts'
import { DatabaseUnreachable } from '../apps/server/src/storage/storage-error.ts'
import { runStatement } from '../apps/server/src/test/test-databases.ts'
import { startDebianPostgres } from './debian-postgres.ts'

const postgres = await startDebianPostgres()
try {
  const trusted = `&sslrootcert=${postgres.certificate}`
  await connect('', { isEncrypted: false })
  await connect(`?sslmode=verify-full${trusted}`, { isEncrypted: true })
  await connect(`?sslmode=require${trusted}`, { isEncrypted: true })
  await connect('?sslmode=no-verify', { isEncrypted: true })
  console.log('  TLS with a trusted certificate, and without verification')
  // Without a root certificate in the URL, the machine's list applies, and a self-signed certificate is
  // not in it.
  for (const mode of ['verify-full', 'require']) {
    await assert.rejects(connect(`?sslmode=${mode}`, { isEncrypted: true }), (error) => {
      assert.ok(error instanceof DatabaseUnreachable, String(error))
      assert.match(error.message, /self-signed certificate/)
      return true
    })
  }
  console.log('  an untrusted certificate is refused')
} finally {
  await postgres.remove()
}

async function connect(query: string, { isEncrypted }: { isEncrypted: boolean }): Promise<void> {
  const storage = await openPostgresStorage({
    databaseUrl: `${postgres.url}${query}`,
    limits: timeLimits,
    onFatal: (error) => {
      throw error
    },
  })
  try {
    await runStatement(
      postgres.url,
      `do $$ begin assert (
         select bool_and(ssl = ${isEncrypted})
         from pg_stat_ssl join pg_stat_activity using (pid)
         where application_name like 'astropelago %'
       ), 'encryption differs from the settings'; end $$`,
    )
  } finally {
    await storage.close()
  }
}
