import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { linuxHeartbeat } from './heartbeat-guides.ts'
import { systemdQuote } from './quote.ts'
import { commandLines } from './testing/process-lists.ts'
import { recordingServer } from './testing/recording-server.ts'
import { awkwardPath, sampleHeartbeat } from './testing/sample-heartbeat.ts'
import { cronCommandOf, putStandInCrontab } from './testing/stand-in-crontab.ts'
import {
  inHome,
  putShell,
  putStandInLinux,
  shells,
  type Starter,
} from './testing/stand-in-linux.ts'
import { throwawayHome } from './testing/throwaway-home.ts'

const userUnits = '.config/systemd/user'
const systemUnits = 'etc/systemd/system'

async function setUp(starter: Starter, urlPath = '') {
  const home = await throwawayHome()
  const server = await recordingServer()
  await putStandInLinux(home, starter)
  const input = sampleHeartbeat(server.url + urlPath)
  const guide = linuxHeartbeat(input)
  const [service, timer, line] = guide.installs.map((block) => block.text)
  const name = `astropelago-${input.deviceId}`
  const textOf = (blocks: readonly { readonly text: string }[]) =>
    inHome(blocks.map((block) => block.text).join('\n'), starter)
  return {
    home,
    server,
    input,
    service,
    timer,
    line: line ?? '',
    name,
    headerFile: `.config/astropelago/${input.deviceId}.header`,
    text: textOf(guide.steps),
    paste: (shell?: string) => home.paste(`umask 0\n${textOf(guide.steps)}`, shell),
    remove: () => home.paste(textOf(guide.removal === undefined ? [] : [guide.removal])),
    calls: async () => (await home.read('calls')).trimEnd().split('\n'),
    /** Everything in the home except the fake machine's files. */
    left: async () =>
      (await home.run('find', ['.', '-type', 'f', '-o', '-type', 'l', '-o', '-empty'])).stdout
        .split('\n')
        .filter((file) => file !== '' && !/^\.\/(proc|calls|crontab)/.test(file))
        .toSorted(),
  }
}

type SetUp = Awaited<ReturnType<typeof setUp>>

// It reads files that only Linux has.
describe.runIf(process.platform === 'linux')('the block for Linux', () => {
  test('as root it installs units of the system, and the token is for root alone', async () => {
    const { home, paste, calls, name, service, timer, headerFile, input, server } =
      await setUp('system')
    const { status, stdout, stderr } = await paste()
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.split('\n')).toEqual([
      'Done: this device reports every 2 minutes, by systemd, also after a restart.',
      'Installed:',
      `  ${systemUnits}/${name}.service`,
      `  ${systemUnits}/${name}.timer`,
      `  ~/${headerFile}`,
      'To remove it:',
      `  systemctl --system disable --now ${name}.timer`,
      `  rm -r ${systemUnits}/${name}.service ${systemUnits}/${name}.timer ~/${headerFile}`,
      '',
    ])
    expect(await home.read(`${systemUnits}/${name}.service`)).toBe(service)
    expect(await home.read(`${systemUnits}/${name}.timer`)).toBe(timer)
    expect(await home.read(headerFile)).toBe(`Authorization: Bearer ${input.token}\n`)
    expect([
      await home.modeOf(headerFile),
      await home.modeOf('.config/astropelago'),
      await home.modeOf(`${systemUnits}/${name}.timer`),
    ]).toEqual([0o600, 0o700, 0o644])
    expect(await calls()).toEqual([
      'systemctl --system daemon-reload',
      `systemctl --system start ${name}.service`,
      `systemctl --system enable ${name}.timer`,
      `systemctl --system restart ${name}.timer`,
    ])
    // One before the installation, one by the service.
    expect(server.requests.map(({ method, path, body }) => [method, path, body])).toEqual(
      Array.from({ length: 2 }, () => ['POST', '/api/devices/heartbeat-token', '']),
    )
    expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set([`Bearer ${input.token}`]),
    )
  })

  test.each(shells)('in %s a user’s own systemd gets the units, and lingers', async (shell) => {
    const { home, paste, calls, name, service } = await setUp('user')
    await putShell(home, shell)
    const { status, stdout, stderr } = await paste()
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toContain(`\n  ~/${userUnits}/${name}.timer\n`)
    expect(await home.read(`${userUnits}/${name}.service`)).toBe(service)
    expect((await calls()).slice(1)).toEqual([
      `systemctl --user start ${name}.service`,
      `systemctl --user enable ${name}.timer`,
      `systemctl --user restart ${name}.timer`,
      'loginctl enable-linger',
    ])
  })

  test.each(shells)('in %s without systemd there is one line for cron', async (shell) => {
    const { home, paste, line, input, headerFile, left } = await setUp('cron')
    await putShell(home, shell)
    const { status, stdout, stderr } = await paste()
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'Done: this device reports every 2 minutes, by cron, also after a restart.',
      'Installed:',
      `  the line of your crontab that ends in # astropelago ${input.deviceId}`,
    ])
    expect(await home.read('crontab')).toBe(`${line}\n`)
    expect(await left()).toEqual([`./${headerFile}`])
    expect(await home.modeOf(headerFile)).toBe(0o600)
  })

  test('pasted twice there is one line, all others stay, and a token file that was open is closed', async () => {
    const { home, paste, line, input, headerFile } = await setUp('cron')
    const other = `0 4 * * 1 date +\\%F  >x # astropelago ${input.deviceId.replace('3', '4')}`
    const latin1 = Buffer.from(`# \xe9t\xe9\n\n@reboot  echo 'a'\n${other}\n`, 'latin1')
    await home.write('crontab', latin1)
    await home.write(headerFile, 'old', 0o666)
    const later = linuxHeartbeat({ ...input, offsetSeconds: 99 }).steps[0]?.text ?? ''
    await paste()
    await home.paste(inHome(later, 'cron'))
    await paste()
    const { stdout } = await home.runAsCron('od -An -v -tx1 crontab')
    const expected = Buffer.concat([latin1, Buffer.from(`${line}\n`)])
    expect(stdout.replaceAll(/\s/g, '')).toBe(expected.toString('hex'))
    expect(await home.modeOf(headerFile)).toBe(0o600)
  })

  test('what another way installed before is removed, so that the device reports once', async () => {
    const { home, paste, name, input, headerFile, left } = await setUp('cron')
    await home.write('crontab', '@reboot echo mine\n')
    await paste()
    await putStandInLinux(home, 'user')
    await putStandInCrontab(home)
    await home.paste(inHome(linuxHeartbeat(input).steps[0]?.text ?? '', 'cron'))
    expect(await home.read('crontab')).toBe('@reboot echo mine\n')
    expect(await left()).toEqual([
      `./${headerFile}`,
      `./${userUnits}/${name}.service`,
      `./${userUnits}/${name}.timer`,
    ])
    await putStandInLinux(home, 'cron')
    await paste()
    expect(await left()).toEqual([`./${headerFile}`])
  })

  test.each([
    [
      'none',
      /^Nothing was installed: there is no cron here, and no systemd that answers you\. Install cron as root and paste again: apt install cron \(Debian and Ubuntu\)\.\n/,
    ],
    [
      'stopped cron',
      /^Nothing was installed: cron is installed, but it does not run\. Start it as root and paste again: service cron start /,
    ],
  ] as const)(
    'where nothing starts programs (%s) it says what to do, and a line for the meantime',
    async (starter, sentence) => {
      const { home, paste, server, left } = await setUp(starter)
      const { status, stdout, stderr } = await paste()
      expect([status, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(sentence)
      expect(await left()).toEqual([])
      expect(server.requests).toEqual([])
      const line = stderr.trimEnd().split('\n').at(-1) ?? ''
      // The line never ends, so let its sleep end the shell.
      await home.putProgram('sleep', 'kill $PPID')
      await home.paste(line)
      expect(server.requests).toHaveLength(1)
    },
  )

  test.each([
    [
      401,
      'the server does not know this token. Generate another one on the page, and paste its block.',
    ],
    [429, 'the server had too many heartbeats from here. Wait a minute, and paste again.'],
    [302, /^http:\S+ answers 302 where 204 is expected\. Wait a minute/],
  ])('an answer of %i installs nothing and is one sentence', async (status, sentence) => {
    const { server, ...rest } = await setUp('user')
    server.answer = { status }
    await expect(nothingBut(rest)).resolves.toMatch(sentence)
  })

  test('a server that can’t be reached, or whose certificate can’t be checked, installs nothing', async () => {
    const { url: plain } = await recordingServer()
    for (const [url, sentence] of [
      [
        'http://127.0.0.1:1',
        /^http:\/\/127\.0\.0\.1:1 can't be reached from here: \S.* Look whether this device is online/,
      ],
      [
        'http://no-such-name.invalid',
        "the name of http://no-such-name.invalid can't be found. Look whether this device is online, and paste again.",
      ],
      [
        plain.replace('http:', 'https:'),
        /^the certificate of https:\S+ can't be checked: \S.* apt install ca-certificates\)\.$/,
      ],
    ] as const) {
      const made = await setUp('user')
      const [step] = linuxHeartbeat({ ...made.input, publicUrl: url }).steps
      const paste = () => made.home.paste(inHome(step?.text ?? '', 'user'))
      await expect(nothingBut({ ...made, paste })).resolves.toMatch(sentence)
    }
  })

  test('without curl it says how to get it', async () => {
    const made = await setUp('user')
    const text = made.text.replace('command -v curl', 'command -v no-such-program')
    const paste = () => made.home.paste(text)
    await expect(nothingBut({ ...made, paste })).resolves.toBe(
      'curl is missing. Install it (Debian and Ubuntu: apt install curl) and paste again.',
    )
  })

  test.each(shells)('in %s a systemd that refuses halfway leaves nothing behind', async (shell) => {
    const { home, paste, calls, left, name } = await setUp('user')
    await putShell(home, shell)
    await refuse(home, 'enable')
    const { status, stdout, stderr } = await paste()
    expect([status, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `Nothing was installed: systemd did not do this: systemctl --user enable ${name}.timer. It says: No such luck. Take another of the ways on the page.\n`,
    )
    expect(await left()).toEqual([])
    expect((await calls()).slice(-3)).toEqual([
      `systemctl --user disable --now ${name}.timer`,
      'systemctl --user daemon-reload',
      `systemctl --user reset-failed ${name}.service ${name}.timer`,
    ])
  })

  test('an earlier installation is restored, and runs', async () => {
    const { home, paste, calls, name, headerFile } = await setUp('user')
    await paste()
    const old = { [headerFile]: 'old header', [`${userUnits}/${name}.timer`]: 'old timer' }
    for (const [file, text] of Object.entries(old)) await home.write(file, text)
    await refuse(home, 'enable')
    expect((await paste()).status).toBe(1)
    for (const [file, text] of Object.entries(old)) expect(await home.read(file)).toBe(text)
    expect((await calls()).at(-1)).toBe(`systemctl --user restart ${name}.timer`)
    expect(await calls()).not.toContain(`systemctl --user disable --now ${name}.timer`)
  })

  test('a crontab that can’t be read or written is left alone, with an explanation', async () => {
    const { home, paste, left } = await setUp('cron')
    await home.write('crontab', '@reboot echo mine\n')
    for (const [refused, verb] of [
      ['-l', 'read and was left alone'],
      ['-', 'written and is as it was'],
    ]) {
      await home.putProgram(
        'crontab',
        `[ "$1" != ${refused} ] || { echo 'Permission denied' >&2; exit 1; }\n[ "$1" != -l ] || exec cat "$HOME/crontab"\nexec cat >"$HOME/crontab"`,
      )
      const { status, stderr } = await paste()
      expect([status, stderr]).toEqual([
        1,
        `Nothing was installed: your crontab can't be ${verb}: Permission denied\n`,
      ])
      expect(await home.read('crontab')).toBe('@reboot echo mine\n')
      expect(await left()).toEqual([])
    }
  })

  test.each(shells)('in %s, an interrupted paste leaves nothing behind', async (shell) => {
    const { home, paste, left } = await setUp('user')
    await putShell(home, shell)
    await home.putProgram(
      'systemctl',
      '[ "$2" != show-environment ] || { echo PATH=/bin; exit; }\n[ "$2" != enable ] || kill "$PPID"',
    )
    const { status, stderr } = await paste()
    expect(status).toBe(1)
    expect(stderr).toBe(
      'Nothing was installed: it was stopped, or a program failed as told above. What had begun is undone.\n',
    )
    expect(await left()).toEqual([])
  })

  test('a folder that can’t be written is explained', async () => {
    const { home, paste } = await setUp('user')
    await home.write('.config', 'a file')
    const { status, stderr } = await paste()
    expect(status).toBe(1)
    expect(stderr).toMatch(
      /^Nothing was installed: \.config\/astropelago\/\S+ can't be written in .* Is the disk full /,
    )
    expect(await home.read('.config')).toBe('a file')
  })

  test('where lingering is not allowed it says what keeps it, without sudo', async () => {
    const { home, paste } = await setUp('user')
    await home.putProgram('loginctl', 'exit 1')
    const { status, stdout } = await paste()
    expect(status).toBe(0)
    expect(stdout).toMatch(
      /It ends when you log out\. To keep it, run once as root: loginctl enable-linger nova\n$/,
    )
  })

  test('a chosen way is not replaced by another', async () => {
    const { home, input, left } = await setUp('cron')
    await putStandInLinux(home, 'user')
    await putStandInCrontab(home)
    const chosen = (way: 'cron' | 'systemd') =>
      home.paste(inHome(linuxHeartbeat(input, way).steps[0]?.text ?? '', 'cron'))
    expect((await chosen('cron')).status).toBe(1)
    await home.write('proc/77/comm', 'crond\n')
    expect((await chosen('cron')).stdout).toContain('by cron')
    expect(existsSync(join(home.path, userUnits))).toBe(false)
    await putStandInLinux(home, 'cron')
    const before = await left()
    const refused = await chosen('systemd')
    expect(refused.stderr).toMatch(/^Nothing was installed: no systemd answers you here\. Sign in /)
    expect(await left()).toEqual(before)
  })

  test.each(['system', 'user', 'cron'] as const)(
    'the removal takes away all of it (%s)',
    async (starter) => {
      const { home, paste, remove, left } = await setUp(starter)
      await home.write('crontab', '@reboot echo mine\n')
      const before = await left()
      await paste()
      expect(await remove()).toEqual({ status: 0, stdout: 'Removed.\n', stderr: '' })
      expect(await left()).toEqual(before)
      expect(await home.read('crontab')).toBe('@reboot echo mine\n')
    },
  )

  test.each(['', awkwardPath])(
    'service and line report under cron’s shell and PATH (server path "%s")',
    async (urlPath) => {
      const { home, paste, server, input, service, line } = await setUp('cron', urlPath)
      await paste()
      server.requests.length = 0
      const [, start = ''] = /^ExecStart=(.*)$/m.exec(service ?? '') ?? []
      expect(await home.runAsCron(cronCommandOf(line))).toEqual({
        status: 0,
        stdout: '',
        stderr: '',
      })
      // A test below verifies how systemd parses quotes and special characters.
      if (urlPath === '') await home.runAsCron(start.replaceAll('%h', '"$HOME"'))
      else server.requests.push(...server.requests)
      const path = `${new URL(server.url + urlPath).pathname.replace(/\/$/, '').replaceAll('[', '%5B').replaceAll(']', '%5D')}/api/devices/heartbeat-token`
      expect(server.requests.map((request) => request.path)).toEqual([path, path])
      expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${input.token}`)
      expect(existsSync(join(home.path, 'pwned'))).toBe(false)
    },
  )

  test('the token is in no process list', async () => {
    const { home, paste, server, input, line } = await setUp('cron')
    const seen: string[] = []
    server.beforeAnswer = () => seen.push(...commandLines())
    await paste()
    await home.runAsCron(cronCommandOf(line))
    expect(seen.filter((each) => /curl -f?sS/.test(each)).length).toBeGreaterThanOrEqual(2)
    expect(seen.filter((each) => each.includes(input.token))).toEqual([])
  })

  test('the timer runs 30 s after boot and every 2 minutes, and the crontab line after a fixed sleep', async () => {
    const { timer, input } = await setUp('none')
    const lines = [
      'OnBootSec=30s',
      'OnUnitActiveSec=2min',
      'AccuracySec=1s',
      'RandomizedDelaySec=10s',
    ]
    expect(timer?.split('\n')).toEqual(expect.arrayContaining(lines))
    const later = linuxHeartbeat({ ...input, offsetSeconds: 97 }, 'cron').installs[0]?.text ?? ''
    expect(later).toMatch(/^\*\/2 \* \* \* \* sleep 97; curl -fsS -m 10 --retry 3 /)
    expect(later).not.toMatch(/[%~]|RANDOM/)
  })

  test('ExecStart takes %, $, quotes and backslashes literally', () => {
    expect(systemdQuote(String.raw`a%h$HOME"\b`)).toBe(String.raw`"a%%h$$HOME\"\\b"`)
  })

  test.each(['', awkwardPath])(
    'systemd-analyze verify finds nothing in the units (server path "%s")',
    async (urlPath) => {
      const { home, service, timer, name } = await setUp('none', urlPath)
      await home.write(`${name}.service`, service ?? '')
      await home.write(`${name}.timer`, timer ?? '')
      const files = [`${name}.service`, `${name}.timer`].map((file) => join(home.path, file))
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
})

/** Makes systemctl fail for one verb. */
async function refuse(home: SetUp['home'], verb: string): Promise<void> {
  await home.putProgram(
    'systemctl',
    `if [ "$2" = show-environment ]; then echo PATH=/bin; exit; fi
echo "systemctl $*" >>"$HOME/calls"
[ "$2" != ${verb} ] || { echo 'No such luck.' >&2; exit 1; }`,
  )
}

/** Runs a paste that must install nothing. @returns the sentence it prints */
async function nothingBut({ paste, left }: Pick<SetUp, 'paste' | 'left'>): Promise<string> {
  const { status, stdout, stderr } = await paste()
  expect([status, stdout, await left()]).toEqual([1, '', []])
  expect(stderr).toMatch(/^Nothing was installed: .*\n$/)
  return stderr.replace('Nothing was installed: ', '').trimEnd()
}
