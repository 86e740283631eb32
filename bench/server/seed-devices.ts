import { hash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStorage } from '../../apps/server/src/storage/storage.ts'
import { seededId, seededToken } from './seeded-device.ts'

const devicesPerUser = 100

/**
 * Makes a database of public devices, numbered from 1, with one token each, all of them just seen or
 * never. Straight by SQL: through the API a million of them would take an hour.
 */
export async function seedDevices(
  dataDir: string,
  count: number,
  presence: 'just seen' | 'never seen',
): Promise<void> {
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
  const seen = database.prepare('insert into presence values (?, ?, 1)')
  database.exec('pragma cache_size = -200000; pragma synchronous = off; begin')
  for (let key = 1; key <= count; key += 1) {
    const userKey = Math.ceil(key / devicesPerUser)
    if ((key - 1) % devicesPerUser === 0) user.run(userKey, `b${userKey}`, `b${userKey}`, nowMs)
    const lat = ((key * 7919) % 180_000) / 1000 - 90
    const lon = ((key * 104_729) % 360_000) / 1000 - 180
    device.run(key, seededId(key), userKey, `Node ${key}`, lat, lon, nowMs)
    const secret = seededToken(key)
    token.run(randomUUID(), key, hash('sha256', secret, 'buffer'), secret.slice(0, 10), nowMs)
    if (presence === 'just seen') seen.run(key, nowMs)
  }
  database.prepare('insert into alive_mark values (1, ?)').run(nowMs)
  database.exec('commit; pragma wal_checkpoint(truncate)')
  database.close()
}
