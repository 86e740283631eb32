import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cronCommand } from './cron-command.ts'
import { commandLines } from './testing/process-lists.ts'
import { recordingServer } from './testing/recording-server.ts'
import { awkwardPath, sampleHeartbeat } from './testing/sample-heartbeat.ts'
import { cronCommandOf, putStandInCrontab } from './testing/stand-in-crontab.ts'
import { throwawayHome } from './testing/throwaway-home.ts'

async function setUp(urlPath = '') {
  const home = await throwawayHome()
  await putStandInCrontab(home)
  const server = await recordingServer()
  const input = sampleHeartbeat(server.url + urlPath)
  const guide = cronCommand(input)
  const paste = guide.steps.map((step) => step.text).join('\n')
  const line = guide.installs.map((block) => block.text).join('\n')
  return {
    home,
    server,
    input,
    guide,
    paste,
    line,
    headerFile: `.config/astropelago/${input.deviceId}.header`,
  }
}

test('a user without a crontab gets one (stand-in crontab)', async () => {
  const { home, paste, line } = await setUp()
  const result = await home.paste(paste)
  expect(result).toEqual({
    status: 0,
    stdout: 'Done: the first heartbeat arrived, more follow every 2 minutes.\n',
    stderr: '',
  })
  expect(await home.read('crontab')).toBe(`${line}\n`)
})

test.each(['sh', 'bash'])(
  'pasted twice into %s there is one line, all others stay',
  async (shell) => {
    const { home, paste, line, input } = await setUp()
    const other = `0 4 * * 1 date +\\%F  >x # astropelago ${input.deviceId.replace('3', '4')}`
    const latin1 = Buffer.from(`# \xe9t\xe9\n\n@reboot  echo 'a'\n${other}\n`, 'latin1')
    await home.write('crontab', latin1)

    await home.paste(paste, shell)
    await home.paste(cronCommand({ ...input, offsetSeconds: 99 }).steps[0]?.text ?? '', shell)
    await home.paste(paste, shell)

    const { stdout } = await home.runAsCron('od -An -v -tx1 crontab')
    const expected = Buffer.concat([latin1, Buffer.from(`${line}\n`)])
    expect(stdout.replaceAll(/\s/g, '')).toBe(expected.toString('hex'))
  },
)

test('a crontab that cannot be read is left alone', async () => {
  const { home, paste } = await setUp()
  await home.write('crontab', '@reboot echo mine\n')
  await home.putProgram(
    'crontab',
    `[ "$1" = -l ] || exec cat >"$HOME/crontab"; echo 'Permission denied' >&2; exit 1`,
  )
  const result = await home.paste(paste)
  expect(result.status).toBe(1)
  expect(result.stderr).toBe(
    'Your crontab could not be read and was left alone: Permission denied\n',
  )
  expect(await home.read('crontab')).toBe('@reboot echo mine\n')
})

test('the token file has mode 0600 under any umask, even in place of an open one', async () => {
  const { home, paste, headerFile, input } = await setUp()
  await home.write(headerFile, 'old', 0o666)
  await home.paste(`umask 0\n${paste}`)
  expect(await home.modeOf(headerFile)).toBe(0o600)
  expect(await home.read(headerFile)).toBe(`Authorization: Bearer ${input.token}\n`)
})

test('a new folder for the token file is open to the user alone', async () => {
  const { home, paste } = await setUp()
  await home.paste(`umask 0\n${paste}`)
  expect(await home.modeOf('.config/astropelago')).toBe(0o700)
})

test.each(['', awkwardPath])(
  'the installed line reports under cron’s shell and PATH (server path "%s")',
  async (urlPath) => {
    const { home, paste, server, input } = await setUp(urlPath)
    await home.paste(paste)
    server.requests.length = 0

    const installed = (await home.read('crontab')).trimEnd()
    const result = await home.runAsCron(cronCommandOf(installed))

    expect(result).toEqual({ status: 0, stdout: '', stderr: '' })
    const path = new URL(server.url + urlPath).pathname.replace(/\/$/, '')
    expect(server.requests).toEqual([
      expect.objectContaining({
        method: 'POST',
        path: `${path.replaceAll('[', '%5B').replaceAll(']', '%5D')}/api/devices/heartbeat-token`,
        body: '',
      }),
    ])
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${input.token}`)
    expect(existsSync(join(home.path, 'pwned'))).toBe(false)
  },
)

test('the line runs every 2 minutes after a fixed sleep and needs nothing that cron lacks', async () => {
  const { line, input } = await setUp()
  const later = cronCommand({ ...input, offsetSeconds: 97 }).installs[0]?.text ?? ''
  expect(later).toMatch(/^\*\/2 \* \* \* \* sleep 97; curl -fsS -m 10 --retry 3 /)
  expect(line).not.toMatch(/[%~]|RANDOM/)
  expect(line).not.toContain(input.token)
})

test.runIf(process.platform === 'linux')('the token is in no process list', async () => {
  const { home, paste, server, input } = await setUp()
  const lines: string[] = []
  server.beforeAnswer = () => lines.push(...commandLines())
  await home.paste(paste)
  await home.runAsCron(cronCommandOf((await home.read('crontab')).trimEnd()))
  expect(lines.filter((line) => line.includes(`curl -fsS`)).length).toBeGreaterThanOrEqual(2)
  expect(lines.filter((line) => line.includes(input.token))).toEqual([])
})

test('a refused token is told, and the paste fails', async () => {
  const { home, paste, server } = await setUp()
  server.answer = { status: 401 }
  const result = await home.paste(paste)
  expect(result.status).toBe(1)
  expect(result.stderr).toMatch(/401[^]*the first heartbeat did not arrive/)
})

test('the removal takes away the line and the token, nothing else', async () => {
  const { home, paste, guide, headerFile } = await setUp()
  await home.write('crontab', '@reboot echo mine\n')
  await home.paste(paste)
  const result = await home.paste(guide.removal.text)
  expect(result).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(await home.read('crontab')).toBe('@reboot echo mine\n')
  expect(existsSync(join(home.path, headerFile))).toBe(false)
})
