/** Checks with the real server and real receivers that users get alerts about their devices. */
import { setTimeout as wait } from 'node:timers/promises'
import { startMailServer } from '../apps/server/src/test/mail-server.ts'
import { startTestPostgres } from '../apps/server/src/test/test-postgres.ts'
import { AlertStand, type Device } from './alerts/alert-stand.ts'
import { checkEveryChannel } from './alerts/every-channel.ts'
import { checkHourAway } from './alerts/hour-away.ts'
import { checkKills } from './alerts/kills.ts'
import { checkStorm } from './alerts/storm.ts'

const beatMs = 500

await checkOnSqlite()
await checkOnPostgres()

async function checkOnSqlite(): Promise<void> {
  const mails = await startMailServer()
  const stand = await AlertStand.open({
    SMTP_URL: `smtp://127.0.0.1:${mails.config.port}`,
    MAIL_FROM: 'Sky <sky@example.org>',
  })
  try {
    const { device, checkReturn } = await checkEveryChannel(stand, mails)
    const isBack = new AbortController()
    const reporting = keepReporting(stand, device, isBack.signal)
    await checkKills(stand)
    await checkReturn()
    isBack.abort()
    await reporting
    await checkHourAway(stand, await checkStorm(stand, 'SQLite'))
  } finally {
    await stand.close()
    await mails.stop()
  }
}

async function checkOnPostgres(): Promise<void> {
  const postgres = await startTestPostgres({ isDurable: true })
  const stand = await AlertStand.open({ DATABASE_URL: postgres.url })
  try {
    await checkStorm(stand, 'PostgreSQL')
  } finally {
    await stand.close()
    await postgres.remove()
  }
}

/** Reports like a device that retries while the server does not answer. */
async function keepReporting(
  stand: AlertStand,
  device: Device,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await stand.beat([device])
    await wait(beatMs)
  }
}
