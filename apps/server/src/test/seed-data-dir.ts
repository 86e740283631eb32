import { dayMs } from '../history/time-spans.ts'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Credentials } from '@astropelago/contract/accounts'
import type { PublicDevice } from '@astropelago/contract/devices'
import { createPasswordHasher } from '../features/accounts/password-hasher.ts'
import { hashToken, makeToken } from '../secret-token.ts'
import { openStorage } from '../storage/storage.ts'

/** A device that exists from the start. With a token, it can report. */
export interface SeedDevice extends PublicDevice {
  readonly token?: string
  /** How often it reports, as JSON. By default it follows the window. */
  readonly schedule?: string
}

/** A user who is signed in from the start. */
export interface SignedInUser extends Credentials {
  readonly sessionToken: string
}

const devicesPerUser = 100

/**
 * Makes a data folder with these public devices and this many signed-in users. It uses SQL directly:
 * through the API a user can have only a hundred devices, and each user costs a slow hash.
 */
export async function seedDataDir(
  dataDir: string,
  seed: { readonly devices?: Iterable<SeedDevice>; readonly signedInUsers?: number },
): Promise<SignedInUser[]> {
  const storage = await openStorage({
    dataDir,
    onFatal: (error) => {
      throw error
    },
  })
  await storage.close()
  const database = new DatabaseSync(join(dataDir, 'astropelago.sqlite'))
  database.exec('pragma cache_size = -200000; pragma synchronous = off; begin')
  insertDevices(database, seed.devices ?? [])
  const users = await insertSignedInUsers(database, seed.signedInUsers ?? 0)
  database.exec('commit; pragma wal_checkpoint(truncate)')
  database.close()
  return users
}

/** Online devices were seen now, offline ones two days ago. */
function insertDevices(database: DatabaseSync, devices: Iterable<SeedDevice>): void {
  const owner = database.prepare(
    `insert into users (username, username_folded, is_demo, created_ms) values (?, ?, 0, ?)`,
  )
  const device = database.prepare(
    `insert into devices (id, user_key, label, lat, lon, link, visibility, created_ms, public_since_ms, schedule)
     values (?1, ?2, ?3, ?4, ?5, ?6, 'public', ?7, ?7, ?8)`,
  )
  const token = database.prepare(
    `insert into device_tokens (id, device_key, token_hash, start, created_ms)
     values (?, ?, ?, ?, ?)`,
  )
  const seen = database.prepare('insert into presence values (?, ?, ?)')
  const nowMs = Date.now()
  let made = 0
  let userKey: number | bigint = 0
  for (const { id, label, lat, lon, link, status, token: secret, schedule = null } of devices) {
    if (made % devicesPerUser === 0) {
      const name = `owner-${made / devicesPerUser + 1}`
      userKey = owner.run(name, name, nowMs).lastInsertRowid
    }
    made += 1
    const key = device.run(id, userKey, label, lat, lon, link, nowMs, schedule).lastInsertRowid
    if (secret !== undefined) {
      token.run(randomUUID(), key, hashToken(secret), secret.slice(0, 10), nowMs)
    }
    if (status === 'online') seen.run(key, nowMs, 1)
    if (status === 'offline') seen.run(key, nowMs - 2 * dayMs, 0)
  }
  // Without it the server's start would count as the end of an outage.
  database.prepare('insert into alive_mark values (1, ?)').run(nowMs)
}

/** All users share one password and its hash. */
async function insertSignedInUsers(database: DatabaseSync, count: number): Promise<SignedInUser[]> {
  if (count === 0) return []
  const password = `a long passphrase ${randomUUID()}`
  const passwordHash = await createPasswordHasher().hash(password)
  const user = database.prepare(
    `insert into users (username, username_folded, password_hash, is_demo, created_ms)
     values (?, ?, ?, 0, ?)`,
  )
  const session = database.prepare(
    'insert into sessions (id, token_hash, user_key, created_ms, last_used_ms) values (?, ?, ?, ?, ?)',
  )
  const nowMs = Date.now()
  return Array.from({ length: count }, (_, index) => {
    const username = `Navigator-${index + 1}`
    const { lastInsertRowid } = user.run(username, username.toLowerCase(), passwordHash, nowMs)
    const sessionToken = makeToken()
    session.run(randomUUID(), hashToken(sessionToken), lastInsertRowid, nowMs, nowMs)
    return { username, password, sessionToken }
  })
}
