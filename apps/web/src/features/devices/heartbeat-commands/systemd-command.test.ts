import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shellQuote } from './shell-quote.ts'
import { systemdCommand } from './systemd-command.ts'
import { systemdQuote } from './systemd-quote.ts'
import { recordingServer } from './testing/recording-server.ts'
import { awkwardPath, sampleHeartbeat } from './testing/sample-heartbeat.ts'
import { throwawayHome } from './testing/throwaway-home.ts'

async function setUp(urlPath = '') {
  const home = await throwawayHome()
  const server = await recordingServer()
  const input = sampleHeartbeat(server.url + urlPath)
  const unit = `astropelago-${input.deviceId}`
  const serviceFile = `.config/systemd/user/${unit}.service`
  // They write down how they were called; starting the service runs its command, split as sh does.
  await home.putProgram('loginctl', 'echo "loginctl $*" >>"$HOME/calls"')
  await home.putProgram(
    'systemctl',
    `echo "systemctl $*" >>"$HOME/calls"
[ "$2" != start ] || sed -n 's/^ExecStart=//p' "$HOME/"${shellQuote(serviceFile)} |
  sed 's|%h|"$HOME"|' | sh`,
  )
  const guide = systemdCommand(input)
  const paste = guide.steps.map((step) => step.text).join('\n')
  return { home, server, input, guide, paste, unit, serviceFile }
}

test('the paste writes the units as shown, starts them, and asks for lingering', async () => {
  const { home, guide, paste, unit, serviceFile } = await setUp()
  const result = await home.paste(paste)
  expect(result).toEqual({
    status: 0,
    stdout: 'Done: the first heartbeat arrived, more follow every 2 minutes.\n',
    stderr: '',
  })
  const [service, timer] = guide.installs
  expect(await home.read(serviceFile)).toBe(service?.text)
  expect(await home.read(`.config/systemd/user/${unit}.timer`)).toBe(timer?.text)
  expect((await home.read('calls')).trimEnd().split('\n')).toEqual([
    'systemctl --user daemon-reload',
    `systemctl --user enable ${unit}.timer`,
    `systemctl --user restart ${unit}.timer`,
    'loginctl enable-linger',
    `systemctl --user start ${unit}.service`,
  ])
})

test('the service sends one heartbeat with the token from a file of mode 0600', async () => {
  const { home, server, input, paste } = await setUp()
  await home.paste(`umask 0\n${paste}`)
  expect(await home.modeOf(`.config/astropelago/${input.deviceId}.header`)).toBe(0o600)
  expect(server.requests).toEqual([
    expect.objectContaining({ method: 'POST', path: '/api/devices/heartbeat-token', body: '' }),
  ])
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${input.token}`)
})

test('the token is in no unit', async () => {
  const { guide, input } = await setUp()
  expect(guide.installs.filter((block) => block.text.includes(input.token))).toEqual([])
})

test('the timer beats 30 s after boot and every 2 minutes, within a few seconds', async () => {
  const { guide } = await setUp()
  expect(guide.installs[1]?.text.split('\n')).toEqual(
    expect.arrayContaining([
      'OnBootSec=30s',
      'OnUnitActiveSec=2min',
      'AccuracySec=1s',
      'RandomizedDelaySec=10s',
    ]),
  )
})

test('where lingering is not allowed the paste says how to turn it on, and goes on', async () => {
  const { home, paste } = await setUp()
  await home.putProgram('loginctl', 'exit 1')
  const result = await home.paste(paste)
  expect(result.status).toBe(0)
  const user = execFileSync('id', ['-un'], { encoding: 'utf8' })
  expect(result.stdout).toContain(`sudo loginctl enable-linger ${user}`)
})

test('a refused token is told, and the paste fails', async () => {
  const { home, paste, server } = await setUp()
  server.answer = { status: 401 }
  const result = await home.paste(paste)
  expect(result.status).toBe(1)
  expect(result.stderr).toContain('the first heartbeat did not arrive')
})

test('the removal takes away units and token', async () => {
  const { home, paste, guide, input, unit, serviceFile } = await setUp()
  await home.paste(paste)
  expect((await home.paste(guide.removal.text)).status).toBe(0)
  expect(await home.read('calls')).toContain(`systemctl --user disable --now ${unit}.timer`)
  const left = [serviceFile, `.config/astropelago/${input.deviceId}.header`]
  expect(left.filter((name) => existsSync(join(home.path, name)))).toEqual([])
})

test('ExecStart takes %, $, quotes and backslashes as they are', () => {
  expect(systemdQuote(String.raw`a%h$HOME"\b`)).toBe(String.raw`"a%%h$$HOME\"\\b"`)
})

// systemd is Linux's own: elsewhere there is nothing to verify with.
test.runIf(process.platform === 'linux').each(['', awkwardPath])(
  'systemd-analyze verify finds nothing in the units (server path "%s")',
  async (urlPath) => {
    const { home, guide, unit } = await setUp(urlPath)
    const [service, timer] = guide.installs
    await home.write(`${unit}.service`, service?.text ?? '')
    await home.write(`${unit}.timer`, timer?.text ?? '')
    const files = [`${unit}.service`, `${unit}.timer`].map((name) => join(home.path, name))
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['--user', 'verify', ...files],
      {
        encoding: 'utf8',
        env: { PATH: '/usr/bin:/bin', HOME: home.path, XDG_RUNTIME_DIR: home.path },
      },
    )
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  },
)
