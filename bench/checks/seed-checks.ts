import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CheckTarget } from '@astropelago/contract/checks'

/** Adds checks to a data folder, in turn to its users, all of them up and looked at just now. */
export function seedChecks(
  dataDir: string,
  { count, users, target }: { count: number; users: number; target: CheckTarget },
): void {
  const database = new DatabaseSync(join(dataDir, 'astropelago.sqlite'))
  const check = database.prepare(
    `insert into checks (id, user_key, name, target, is_public, is_paused, created_ms)
     values (?, ?, ?, ?, 0, 0, ?)`,
  )
  const state = database.prepare(
    `insert into check_states (check_key, status, since_ms, looked_ms, took_ms, failures)
     values (?, 'up', ?, ?, 1, 0)`,
  )
  const nowMs = Date.now()
  database.exec('begin')
  for (let number = 0; number < count; number += 1) {
    const userKey = 1 + (number % users)
    const name = `Check ${number + 1}`
    const made = check.run(randomUUID(), userKey, name, JSON.stringify(target), nowMs)
    state.run(made.lastInsertRowid, nowMs, nowMs)
  }
  database.exec('commit')
  database.close()
}
