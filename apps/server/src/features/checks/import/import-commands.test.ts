import { truncateSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { checkImportFileMaxBytes } from '@astropelago/contract/limits'
import { afterAll, expect, test } from 'vitest'
import { CommandMistaken, CommandRefused } from '../../../admin/command.ts'
import { commands } from '../../../admin/commands.ts'
import { callServerAt } from '../../../admin/reach-server.ts'
import { readCommandLine } from '../../../admin/read-command-line.ts'
import { AdminSocket, adminSocketPath } from '../../../http/admin-socket.ts'
import { shareTestApp } from '../../../test/create-test-app.ts'
import { makeTempDir } from '../../../test/open-test-storage.ts'
import { kumaDatabase } from './testing/kuma-database.ts'

const dataDir = await makeTempDir(afterAll)
const options = { adminSocket: new AdminSocket() }
let listening: Promise<void> | undefined
const healthchecks = fileURLToPath(new URL('testing/healthchecks.json', import.meta.url))
const kuma = join(dataDir, 'kuma.db')
writeFileSync(kuma, kumaDatabase())

async function setUp() {
  const { app, signUp } = await shareTestApp(options)
  await app.ready()
  listening ??= options.adminSocket.listen(app, dataDir)
  await listening
  const owner = await signUp()
  const call = callServerAt(adminSocketPath(dataDir))
  const run = async (...words: readonly string[]) => {
    const line = readCommandLine(commands, ['import', ...words])
    if (line.kind !== 'run') throw new Error('this is no command')
    const { input, isConfirmed } = line
    return await line.command.run({ input, call, isConfirmed })
  }
  const countChecks = async () =>
    (await owner.inject({ url: '/api/me/checks' })).json<unknown[]>().length
  return { user: owner.username, run, countChecks }
}

test('a file is shown line by line, and imported with --yes', async () => {
  const { user, run, countChecks } = await setUp()
  const shown = await run('kuma', kuma, '--user', user)
  expect(shown.text).toMatch(/^NAME +KIND +BECOMES +WHY\n/)
  expect(shown.text).toMatch(
    /\nRouter +http +new, http, paused +Only your own network can reach it/,
  )
  expect(shown.text).toMatch(/\nPaperless container +docker +left out +There are no checks/)
  expect(shown.text).toMatch(/ left out\. Nothing has been changed yet\. Add --yes/)
  expect(await countChecks()).toBe(0)
  const done = await run('kuma', kuma, '--user', user, '--yes')
  expect(done.text).toMatch(new RegExp(`Imported for ${user}\\.$`))
  const imported = await countChecks()
  expect(done.json).toMatchObject({ newChecks: imported })
  await run('healthchecks', healthchecks, '--user', user, '--yes')
  expect(await countChecks()).toBe(imported + 14)
})

test('what can’t be imported is refused with a sentence', async () => {
  const { user, run } = await setUp()
  await expect(run('kuma', kuma)).rejects.toThrow(CommandMistaken)
  await expect(run('kuma', kuma, '--user', 'nobody')).rejects.toThrow(CommandRefused)
  await expect(run('kuma', `${kuma}x`, '--user', user)).rejects.toThrow('There is no file')
  await expect(run('kuma', healthchecks, '--user', user)).rejects.toThrow('no database')
  await expect(run('healthchecks', kuma, '--user', user)).rejects.toThrow('no list of checks')
  const [large, logged] = [join(dataDir, 'large.db'), join(dataDir, 'logged.db')]
  writeFileSync(large, '')
  truncateSync(large, checkImportFileMaxBytes + 1)
  await expect(run('kuma', large, '--user', user)).rejects.toThrow('larger than 256 MB')
  writeFileSync(logged, kumaDatabase())
  writeFileSync(`${logged}-wal`, 'x')
  await expect(run('kuma', logged, '--user', user)).rejects.toThrow('Stop Uptime Kuma first')
})
