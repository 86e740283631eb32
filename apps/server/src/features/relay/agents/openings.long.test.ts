import type { LogEntry } from '@astropelago/contract/island-log'
import { expect, test } from 'vitest'
import { createTestToken, sendHeartbeat } from '../../../test/api-devices.ts'
import { connectAgent } from '../../../test/relay-agent.ts'
import { createOpeningsApp } from '../testing/openings-app.ts'
import { inTime } from '../../../test/in-time.ts'

test('the log records an opening that lasted a minute, and nothing about a device that reports', async () => {
  const app = await createOpeningsApp()
  const { url, token, host, device, island, clock, becomes, now, inject, leave } = app
  const entries = async () => {
    const answer = await inject({ url: `/api/islands/${island.id}/log` })
    return answer.json<{ entries: LogEntry[] }>().entries.map(({ kind, at }) => [kind, at])
  }
  await sendHeartbeat(app, (await createTestToken(host, device.id)).token)
  clock.move(1000)
  const openedAt = now()
  const agent = await connectAgent(url, token)
  await becomes(true)
  clock.move(60_000)
  const goneAt = now()
  await expect.poll(entries, inTime).toEqual([['opened', openedAt]])
  await leave(agent)
  clock.move(60_000)
  await becomes(false)
  await expect.poll(entries, inTime).toEqual([
    ['closed', goneAt],
    ['opened', openedAt],
  ])
})
