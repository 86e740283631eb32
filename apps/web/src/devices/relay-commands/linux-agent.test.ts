import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { shellQuote } from '../heartbeat-commands/quote.ts'
import { commandLines } from '../heartbeat-commands/testing/process-lists.ts'
import { cronCommandOf } from '../heartbeat-commands/testing/stand-in-crontab.ts'
import {
  inHome,
  putShell,
  putStandInLinux,
  shells,
  type Starter,
} from '../heartbeat-commands/testing/stand-in-linux.ts'
import { throwawayHome } from '../heartbeat-commands/testing/throwaway-home.ts'
import { agentFiles } from './agent-files.ts'
import { linuxAgent } from './relay-guides.ts'
import type { RelayInstall } from './relay-install.ts'
import { agentServer } from './testing/agent-server.ts'

async function setUp(starter: Starter, change: Partial<RelayInstall> = {}) {
  const home = await throwawayHome()
  const server = await agentServer()
  const input = { ...server.install, ...change }
  await putStandInLinux(home, starter)
  await home.putProgram('node', `exec ${shellQuote(process.execPath)} "$@"`)
  if (starter === 'cron') {
    // 503 keeps the agent running; it is removed with the test.
    server.status = 503
    onTestFinished(async () => void (await remove()))
  } else {
    await home.putProgram('sleep', '')
  }
  const guide = linuxAgent(input)
  const [unitText, line] = guide.installs.map((block) => block.text)
  const files = agentFiles(input.islandId)
  const unit = `astropelago-agent-${input.islandId}.service`
  const units = starter === 'system' ? 'etc/systemd/system' : '.config/systemd/user'
  const text = inHome(guide.steps.map((step) => step.text).join('\n'), starter)
  const isThere = (name: string) => existsSync(join(home.path, name))
  const remove = () => home.paste(inHome(guide.removal?.text ?? '', starter))
  return {
    home,
    server,
    input,
    unitText: unitText ?? '',
    line: line ?? '',
    files,
    unit,
    unitFile: `${units}/${unit}`,
    text,
    paste: (shell?: string) => home.paste(`umask 0\n${text}`, shell),
    remove,
    isThere,
    left: () => [files.folder, files.token, files.agentId, `${units}/${unit}`].filter(isThere),
    pid: async () => (await home.read(`${files.folder}/pid`)).trim(),
  }
}

// It reads files that only Linux has.
describe.runIf(process.platform === 'linux')('the block for Linux', () => {
  test.each(shells)(
    'R45 the paste, in %s, installs the agent, starts it, and the agent says what works',
    async (shell) => {
      const { home, paste, unit, unitText, unitFile, files, input } = await setUp('user')
      await putShell(home, shell)
      const { status, stdout, stderr } = await paste()
      expect([status, stderr]).toEqual([0, ''])
      expect(stdout.trimEnd().split('\n')).toEqual([
        `works: the server ${input.publicUrl}`,
        'works: connecting with this token',
        'works: the connection that carries visitors, which stayed open for 0 s',
        `works: the service ${input.publicUrl}, which answers 404`,
        'Done: the agent runs, by systemd, also after a restart.',
        'Installed:',
        `  ~/${unitFile}`,
        ...[files.folder, files.token, files.agentId].map((file) => `  ~/${file}`),
        'To remove it:',
        `  systemctl --user disable --now ${unit}`,
        `  rm -r ~/${unitFile} ~/${files.folder} ~/${files.token} ~/${files.agentId}`,
        'Visitors can come.',
      ])
      expect(await home.read(unitFile)).toBe(unitText)
      expect(await home.read(files.token)).toBe(`${input.token}\n`)
      expect([await home.modeOf(files.token), await home.modeOf(files.program)]).toEqual([
        0o600, 0o600,
      ])
      expect((await home.read('calls')).trimEnd().split('\n')).toEqual([
        'systemctl --user daemon-reload',
        `systemctl --user enable ${unit}`,
        `systemctl --user restart ${unit}`,
        `systemctl --user is-active --quiet ${unit}`,
        'loginctl enable-linger',
      ])
    },
  )

  test('as root it is a service of the system', async () => {
    const { home, paste, unitFile, unitText } = await setUp('system')
    expect((await paste()).status).toBe(0)
    expect(await home.read(unitFile)).toBe(unitText)
    expect(await home.modeOf(unitFile)).toBe(0o644)
    expect(await home.read('calls')).not.toContain('--user')
  })

  test.each(shells)(
    'without systemd, in %s, cron starts it after a restart, and it runs at once',
    async (shell) => {
      const { home, server, paste, line, input, pid, files } = await setUp('cron')
      await putShell(home, shell)
      const { status, stdout, stderr } = await paste()
      expect([status, stderr]).toEqual([0, ''])
      expect(stdout).toContain('Done: the agent runs, by cron, also after a restart.\n')
      expect(stdout).toContain(`\n  kill "$(cat ~/${files.folder}/pid)"\n`)
      expect(await home.read('crontab')).toBe(`${line}\n`)
      await expect.poll(() => server.dials.length).toBeGreaterThan(0)
      expect(server.dials[0]?.headers.authorization).toBe(`Bearer ${input.token}`)
      await expect.poll(() => home.read(`${files.folder}/log`)).toContain('Seen.')
      expect(existsSync(`/proc/${await pid()}`)).toBe(true)
    },
  )

  test('cron’s script restarts the agent when it fails, and ends it when stopped', async () => {
    const { home, paste, line, pid, remove, isThere, files } = await setUp('cron')
    const calls = join(home.path, 'starts')
    await paste()
    // Fails the first time, then keeps running.
    await home.putProgram(
      'node',
      `echo x >>${shellQuote(calls)}; [ "$(wc -l <${shellQuote(calls)})" -gt 1 ] || exit 1; exec sleep 60`,
    )
    const over = home.runAsCron(cronCommandOf(line))
    await expect
      .poll(() => readFile(calls, 'utf8').catch(() => ''), { timeout: 10_000 })
      .toBe('x\nx\n')
    const before = await pid()
    expect(commandLines().some((each) => each.includes(`${files.folder}/run`))).toBe(true)
    expect(await remove()).toEqual({ status: 0, stdout: 'Removed.\n', stderr: '' })
    await over
    await expect.poll(() => existsSync(`/proc/${before}`)).toBe(false)
    expect(isThere('.local') || isThere('.config')).toBe(false)
    expect(await home.read('crontab')).toBe('')
  })

  test('pasted twice, the second agent replaces the first', async () => {
    const { home, paste, pid, line } = await setUp('cron')
    await paste()
    const first = await pid()
    await paste()
    expect(await pid()).not.toBe(first)
    await expect.poll(() => existsSync(`/proc/${first}`)).toBe(false)
    expect(await home.read('crontab')).toBe(`${line}\n`)
  })

  test('one that is refused at once is undone, and the agent that ran before runs again', async () => {
    const { home, paste, server, files, line, pid } = await setUp('cron')
    await paste()
    const first = await pid()
    await home.write(files.token, `${(await home.read(files.token)).trim()}\n\n`, 0o600)
    const before = await home.read(files.token)
    server.status = 401
    const { status, stdout, stderr } = await paste()
    expect([status, stdout.includes('Done'), stderr]).toEqual([
      1,
      false,
      expect.stringMatching(
        /^Nothing was installed: the agent ended at once: \S+ refused: Seen\.\n$/,
      ),
    ])
    expect(await home.read(files.token)).toBe(before)
    expect(await home.read('crontab')).toBe(`${line}\n`)
    await expect.poll(() => pid().catch(() => first), { timeout: 10_000 }).not.toBe(first)
  })

  test('R45 what the unit starts dials the server with the token, and ends for good where it is refused', async () => {
    const { home, unitText, paste, server, input } = await setUp('user')
    await paste()
    const [, command = ''] = /^ExecStart=(.*)$/m.exec(unitText) ?? []
    const seen: string[] = []
    server.beforeRefusal = () => seen.push(...commandLines())
    const result = await home.runAsCron(command.replaceAll('%h', '"$HOME"'))
    expect(result.stdout).toContain('Seen.')
    // The unit's RestartPreventExitStatus.
    expect(result.status).toBe(2)
    expect(unitText).toContain('\nRestartPreventExitStatus=2\n')
    expect(server.dials[0]?.headers.authorization).toBe(`Bearer ${input.token}`)
    expect(seen.filter((each) => each.includes('agent.mjs'))).not.toEqual([])
    expect(seen.filter((each) => each.includes(input.token))).toEqual([])
  })

  test('a folder in the home is found there by the unit, the script and the check', async () => {
    const path = '~/my site%'
    const { home, unitText, text } = await setUp('user', { service: { kind: 'folder', path } })
    await mkdir(join(home.path, 'my site%'))
    const { stdout } = await home.paste(text)
    expect(stdout).toContain(`works: the folder ${home.path}/my site%\n`)
    expect(unitText).toContain(' --folder "%h/my site%%" ')
    expect(text).toContain(` --folder "$HOME"/'my site%' `)
  })

  test('the unit runs the Node that was found, not fnm’s path for the current shell', async () => {
    const { home, text, files } = await setUp('user')
    await home.paste(text)
    const [programs = ''] = home.searchPath.split(':')
    expect(await readlink(join(home.path, files.node))).toBe(join(programs, 'node'))
    const those = 'run/fnm_multishells/7_1790000000/bin'
    await home.write(`${those}/node`, await readFile(join(programs, 'node')), 0o755)
    await home.paste(`PATH="$HOME/${those}:$PATH"\n${text}`)
    expect(await readlink(join(home.path, files.node))).toBe(process.execPath)
  })

  test('without Node, or with an old one, it says how to get one and does nothing', async () => {
    const { home, text, left } = await setUp('user')
    const process12 =
      "const process = { versions: { node: '12.22.12' }, exit: globalThis.process.exit }"
    await home.putProgram(
      'node',
      `if [ "$1" = --version ]; then echo v12.22.12; else exec ${shellQuote(process.execPath)} -e "${process12}; $2"; fi`,
    )
    const old = await home.paste(text)
    expect([old.status, old.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^Nothing was installed: Node\.js is v12\.22\.12 here, and the agent needs 18 or newer\. .*apt install nodejs/,
      ),
    ])
    const missing = await home.paste(text.replaceAll('command -v node', 'command -v no-such-node'))
    expect([missing.status, missing.stderr]).toEqual([
      1,
      expect.stringMatching(/^Nothing was installed: Node\.js is missing\. .*apt install nodejs/),
    ])
    expect(left()).toEqual([])
  })

  test('R47 an agent that is not the one of the page is discarded', async () => {
    const { paste, left } = await setUp('user', { sha256: 'f'.repeat(64) })
    const { status, stderr } = await paste()
    expect([status, stderr]).toEqual([
      1,
      'Nothing was installed: the agent that came is not the one that the page shows. Reload the page, and paste its new block.\n',
    ])
    expect(left()).toEqual([])
  })

  test.each([
    [
      { token: 'apd_unknown' },
      /^Nothing was installed: connecting with this token: Who\? Generate another token on the page, and paste its block\.\n$/,
    ],
    [
      { publicUrl: 'http://127.0.0.1:1' },
      /^Nothing was installed: the agent did not come from http:\/\/127\.0\.0\.1:1: \S.* Look whether this device is online/,
    ],
  ])('%j installs nothing and is one sentence', async (change, sentence) => {
    const { paste, left } = await setUp('user', change)
    const { status, stdout, stderr } = await paste()
    expect([status, stdout, left()]).toEqual([1, '', []])
    expect(stderr).toMatch(sentence)
  })

  test('a service that does not answer yet is reported, and the agent runs until it does', async () => {
    const { paste, isThere, unitFile } = await setUp('user', {
      service: { kind: 'address', url: 'http://127.0.0.1:1' },
    })
    const { status, stdout, stderr } = await paste()
    expect(status).toBe(1)
    expect(stdout).toContain('Done: the agent runs, by systemd')
    expect(stderr).toBe(
      'Visitors get nothing yet. What is missing:\nthe service http://127.0.0.1:1: nothing listens there (ECONNREFUSED)\nThey come once that is there; nothing has to be pasted again.\n',
    )
    expect(isThere(unitFile)).toBe(true)
  })

  test('an agent that systemd does not keep running is undone, and said', async () => {
    const { home, paste, unit, left } = await setUp('user')
    await home.putProgram(
      'systemctl',
      '[ "$2" != show-environment ] || echo PATH=/bin; [ "$2" != is-active ]',
    )
    const { status, stdout, stderr } = await paste()
    expect(status).toBe(1)
    expect(stdout).not.toContain('Done')
    expect(stderr).toBe(
      `Nothing was installed: the agent ended at once. See why: journalctl --user -u ${unit}\n`,
    )
    expect(left()).toEqual([])
  })

  test('the removal deletes the unit, the agent, its id and its token', async () => {
    const { home, paste, remove, unit, left, files } = await setUp('user')
    await paste()
    await home.write(files.agentId, 'made by the agent')
    expect(await remove()).toEqual({ status: 0, stdout: 'Removed.\n', stderr: '' })
    expect(await home.read('calls')).toContain(`systemctl --user disable --now ${unit}`)
    expect(left()).toEqual([])
  })

  test('two islands on one device have an agent each, and the removal of one leaves the other', async () => {
    const { home, paste, remove, isThere, files, unitFile, input } = await setUp('user')
    const other = { ...input, islandId: 'b7a3f0de-2f0e-4e53-8d5c-6c1f5f0a9e21' }
    await paste()
    await home.paste(inHome(linuxAgent(other).steps[0]?.text ?? '', 'user'))
    expect(await home.read(unitFile)).toContain(` --island ${input.islandId} `)
    await remove()
    expect(isThere(files.program)).toBe(false)
    const otherFiles = agentFiles(other.islandId)
    const otherUnit = `.config/systemd/user/astropelago-agent-${other.islandId}.service`
    expect(await home.read(otherUnit)).toContain(` --island ${other.islandId} `)
    const left = [otherFiles.program, otherFiles.node, otherFiles.token]
    expect(left.filter((name) => !isThere(name))).toEqual([])
  })

  test.each<RelayInstall['service']>([
    { kind: 'address', url: 'http://[::1]:8080' },
    { kind: 'folder', path: '~/my site$x%' },
    { kind: 'folder', path: "/it's/$(touch pwned)&;\\x%h" },
  ])('systemd-analyze verify finds nothing in the unit (%o)', async (service) => {
    const { home, unitText, unit, files } = await setUp('none', { service })
    await home.write(files.node, '#!/bin/sh\n', 0o755)
    await home.write(unit, unitText)
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['--user', 'verify', join(home.path, unit)],
      {
        encoding: 'utf8',
        env: { PATH: '/usr/bin:/bin', HOME: home.path, XDG_RUNTIME_DIR: home.path },
      },
    )
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })
})
