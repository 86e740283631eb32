import { hash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openStorage } from '../../apps/server/src/storage/storage.ts'

export interface SeededDevice {
  readonly id: string
  readonly token: string
}

/** Fills a new database with public devices that never reported; the first ones have a token. */
export async function seedDevices(
  folder: string,
  devices: number,
  withToken = 0,
): Promise<readonly SeededDevice[]> {
  const dataDir = join(folder, 'data')
  const storage = await openStorage({
    dataDir,
    onFatal: (error) => {
      throw error
    },
  })
  await storage.close()
  const database = new DatabaseSync(join(dataDir, 'astropelago.sqlite'))
  database.exec('pragma foreign_keys = on; begin')
  const insertUser = database.prepare(
    'insert into users (key, username, username_folded, is_demo, created_ms) values (?, ?, ?, 0, 0)',
  )
  const insertDevice = database.prepare(
    "insert into devices (key, id, user_key, label, lat, lon, visibility, created_ms) values (?, ?, ?, ?, ?, ?, 'public', 0)",
  )
  const insertToken = database.prepare(
    "insert into device_tokens (id, device_key, token_hash, start, created_ms) values (?, ?, ?, 'apd_', 0)",
  )
  const seeded: SeededDevice[] = []
  for (let key = 1; key <= devices; key += 1) {
    const userKey = Math.ceil(key / 100)
    if (key % 100 === 1) insertUser.run(userKey, `user-${userKey}`, `user-${userKey}`)
    // Made up of the key, so that each run has the same devices.
    const digest = hash('sha256', `device ${key}`, 'hex')
    const id = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, '$1-$2-4$3-a$4-$5')
    const lat = Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32
    const lon = Number.parseInt(digest.slice(8, 16), 16) / 2 ** 32
    const place = [
      Number((lat * 180 - 90).toFixed(6)),
      Number((lon * 360 - 180).toFixed(6)),
    ] as const
    insertDevice.run(key, id, userKey, `Device ${key}`, ...place)
    if (key > withToken) continue
    const token = `apd_${hash('sha256', `token ${key}`, 'base64url')}`
    insertToken.run(crypto.randomUUID(), key, hash('sha256', token, 'buffer'))
    seeded.push({ id, token })
  }
  database.exec('commit')
  database.close()
  return seeded
}
