import type { PublicDevice } from '@astropelago/contract/devices'
import { openStorage, type Database } from '../../apps/server/src/storage/storage.ts'
import { clusteredDevices } from './clustered-devices.ts'
import { type RunningServer, startServer } from './start-server.ts'

const dayMs = 86_400_000
/** A day: no seeded device changes its status while a test looks at it. */
const onlineWindow = { ONLINE_WINDOW_S: '86400' }
/** SQLite takes 32,766 parameters in a statement, and a device has eight. */
const devicesAtOnce = 4000

/**
 * Starts a server that has these public devices, or so many, from the beginning: straight into the
 * data folder, since the API lets a user have a hundred. The test has to stop it.
 */
export function seededServer(
  devices: readonly PublicDevice[] | number,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const list = typeof devices === 'number' ? clusteredDevices(devices) : devices
  return startServer({
    settings: { ...onlineWindow, ...settings },
    prepareData: (dataDir) => seedDevices(dataDir, list),
  })
}

/** Fills a data folder that no server uses, making it where it is missing. */
async function seedDevices(dataDir: string, devices: readonly PublicDevice[]): Promise<void> {
  const storage = await openStorage({
    dataDir,
    onFatal: (error) => {
      throw error
    },
  })
  try {
    const userKey = await insertOwner(storage.db)
    for (let from = 0; from < devices.length; from += devicesAtOnce) {
      await insertDevices(storage.db, userKey, devices.slice(from, from + devicesAtOnce))
    }
  } finally {
    await storage.close()
  }
}

async function insertOwner(db: Database): Promise<number> {
  const { key } = await db
    .insertInto('users')
    .values({
      username: 'Seeded',
      username_folded: 'seeded',
      password_hash: null,
      name: null,
      avatar: null,
      is_demo: 0,
      created_ms: Date.now(),
      expires_ms: null,
    })
    .returning('key')
    .executeTakeFirstOrThrow()
  return key
}

async function insertDevices(
  db: Database,
  userKey: number,
  devices: readonly PublicDevice[],
): Promise<void> {
  const nowMs = Date.now()
  const keys = await db
    .insertInto('devices')
    .values(
      devices.map(({ id, label, lat, lon, link }) => ({
        id,
        user_key: userKey,
        label,
        lat,
        lon,
        link,
        visibility: 'public' as const,
        created_ms: nowMs,
      })),
    )
    .returning(['key', 'id'])
    .execute()
  const statusOf = new Map(devices.map(({ id, status }) => [id, status]))
  const heard = keys.flatMap(({ key, id }) => {
    const status = statusOf.get(id)
    if (status === undefined || status === 'unknown') return []
    const isOnline = status === 'online'
    const last_seen_ms = isOnline ? nowMs : nowMs - 2 * dayMs
    return [{ device_key: key, last_seen_ms, is_online: isOnline ? 1 : 0 }]
  })
  if (heard.length > 0) await db.insertInto('presence').values(heard).execute()
}
