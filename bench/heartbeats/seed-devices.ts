import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStorage } from '../../apps/server/src/storage/storage.ts'
import { benchToken } from './bench-tokens.ts'

const devicesPerUser = 100

/**
 * Makes a database of devices with one token each, all of them public and just seen. Straight by SQL:
 * through the API a million of them would take an hour.
 */
export async function seedDevices(dataDir: string, count: number): Promise<void> {
  const storage = await openStorage({
    dataDir,
    onFatal: (error) => {
      throw error
    },
  })
  await storage.close()

  const database = new DatabaseSync(join(dataDir, 'astropelago.sqlite'))
  const nowMs = Date.now()
  const user = database.prepare(
    `insert into users (key, username, username_folded, is_demo, created_ms)
     values (?, ?, ?, 0, ?)`,
  )
  const device = database.prepare(
    `insert into devices (key, id, user_key, label, lat, lon, link, visibility, created_ms)
     values (?, ?, ?, ?, ?, ?, null, 'public', ?)`,
  )
  const token = database.prepare(
    `insert into device_tokens (id, device_key, token_hash, start, created_ms)
     values (?, ?, ?, ?, ?)`,
  )
  const presence = database.prepare('insert into presence values (?, ?, 1)')
  const alive = database.prepare('insert into alive_mark values (1, ?)')
  database.exec('pragma cache_size = -200000; pragma synchronous = off; begin')
  for (let key = 1; key <= count; key += 1) {
    const userKey = Math.ceil(key / devicesPerUser)
    if ((key - 1) % devicesPerUser === 0) user.run(userKey, `b${userKey}`, `b${userKey}`, nowMs)
    const lat = ((key * 7919) % 180_000) / 1000 - 90
    const lon = ((key * 104_729) % 360_000) / 1000 - 180
    device.run(key, randomUUID(), userKey, `Node ${key}`, lat, lon, nowMs)
    const secret = benchToken(key)
    const hash = createHash('sha256').update(secret).digest()
    token.run(randomUUID(), key, hash, secret.slice(0, 10), nowMs)
    presence.run(key, nowMs)
  }
  alive.run(nowMs)
  database.exec('commit; pragma wal_checkpoint(truncate)')
  database.close()
}
