import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shellQuote } from '../heartbeat-commands/shell-quote.ts'
import { commandLines } from '../heartbeat-commands/testing/process-lists.ts'
import { throwawayHome } from '../heartbeat-commands/testing/throwaway-home.ts'
import { agentFiles } from './agent-files.ts'
import type { RelayInstall } from './relay-install.ts'
import { systemdAgent } from './systemd-agent.ts'
import { agentServer } from './testing/agent-server.ts'

async function setUp(change: Partial<RelayInstall> = {}) {
  const home = await throwawayHome()
  const server = await agentServer()
  const input = { ...server.install, ...change }
  // They write down how they were called.
  await home.putProgram('loginctl', 'echo "loginctl $*" >>"$HOME/calls"')
  await home.putProgram('systemctl', 'echo "systemctl $*" >>"$HOME/calls"')
  await home.putProgram('node', `exec ${shellQuote(process.execPath)} "$@"`)
  const guide = systemdAgent(input)
  const paste = guide.steps.map((step) => step.text).join('\n')
  const unit = `astropelago-agent-${input.islandId}.service`
  return {
    home,
    server,
    input,
    guide,
    paste,
    unit,
    unitFile: `.config/systemd/user/${unit}`,
    files: agentFiles(input.islandId),
  }
}

test.each(['sh', 'bash'])(
  'the paste, in %s, installs the agent, starts it, and the agent says what works',
  async (shell) => {
    const { home, guide, paste, unit, unitFile, files, input } = await setUp()
    const result = await home.paste(`umask 0\n${paste}`, shell)
    const lines = result.stdout
      .replaceAll(/^\S+Z /gm, '')
      .trimEnd()
      .split('\n')
    expect(lines).toEqual([
      `works: the token in ${home.path}/${files.token}`,
      `works: the server ${input.publicUrl}`,
      'works: connecting with this token',
      `works: the service ${input.publicUrl}, which answers 404`,
      'Done: the agent runs, and visitors can come.',
    ])
    expect([result.status, result.stderr]).toEqual([0, ''])
    expect(await home.read(unitFile)).toBe(guide.installs[0]?.text)
    expect(await home.read(files.token)).toBe(`${input.token}\n`)
    expect([await home.modeOf(files.token), await home.modeOf(files.program)]).toEqual([
      0o600, 0o600,
    ])
    expect((await home.read('calls')).trimEnd().split('\n')).toEqual([
      'systemctl --user daemon-reload',
      `systemctl --user enable ${unit}`,
      `systemctl --user restart ${unit}`,
      'loginctl enable-linger',
      `systemctl --user is-active --quiet ${unit}`,
    ])
  },
)

test('what the unit starts dials the server with the token, and ends for good where it is refused', async () => {
  const { home, guide, paste, server, input } = await setUp()
  await home.paste(paste)
  const [, command = ''] = /^ExecStart=(.*)$/m.exec(guide.installs[0]?.text ?? '') ?? []
  const seen: string[] = []
  server.beforeRefusal = () => seen.push(...commandLines())
  const result = await home.runAsCron(command.replaceAll('%h', '"$HOME"'))
  expect(result.stdout).toContain('Seen.')
  // RestartPreventExitStatus
  expect(result.status).toBe(2)
  expect(guide.installs[0]?.text).toContain('\nRestartPreventExitStatus=2\n')
  expect(server.dials[0]?.headers.authorization).toBe(`Bearer ${input.token}`)
  expect(seen.filter((line) => line.includes('agent.mjs'))).not.toEqual([])
  expect(seen.filter((line) => line.includes(input.token))).toEqual([])
})

test('a folder in the home is found there by the unit and by the check', async () => {
  const { home, guide, paste } = await setUp({ service: { kind: 'folder', path: '~/my site%' } })
  await mkdir(join(home.path, 'my site%'))
  const result = await home.paste(paste)
  expect(result.stdout).toContain(`works: the folder ${home.path}/my site%\n`)
  expect(guide.installs[0]?.text).toContain(' --folder "%h/my site%%" ')
})

test('the unit runs the Node that was found, and not the address of one that fnm makes for this shell alone', async () => {
  const { home, paste, files } = await setUp()
  await home.paste(paste)
  const [programs = ''] = home.searchPath.split(':')
  expect(await readlink(join(home.path, files.node))).toBe(join(programs, 'node'))
  const shells = 'run/fnm_multishells/7_1790000000/bin'
  await home.write(`${shells}/node`, await readFile(join(programs, 'node')), 0o755)
  await home.paste(`PATH="$HOME/${shells}:$PATH"\n${paste}`)
  expect(await readlink(join(home.path, files.node))).toBe(process.execPath)
})

test('without Node, or with an old one, it says how to get one and does nothing', async () => {
  const { home, paste, files, unitFile } = await setUp()
  const process12 =
    "const process = { versions: { node: '12.22.12' }, exit: globalThis.process.exit }"
  await home.putProgram(
    'node',
    `if [ "$1" = --version ]; then echo v12.22.12; else exec ${shellQuote(process.execPath)} -e "${process12}; $2"; fi`,
  )
  const old = await home.paste(paste)
  expect([old.status, old.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^Nothing was done: Node\.js is v12\.22\.12, and the agent needs 18 or newer\. .*sudo apt install nodejs/,
    ),
  ])
  const missing = await home.paste(paste.replaceAll('command -v node', 'command -v no-such-node'))
  expect([missing.status, missing.stderr]).toEqual([
    1,
    expect.stringMatching(/^Nothing was done: Node\.js is missing\. .*sudo apt install nodejs/),
  ])
  const made = [files.program, files.token, unitFile, 'calls']
  expect(made.filter((name) => existsSync(join(home.path, name)))).toEqual([])
})

test('an agent that is not the one of the page is thrown away', async () => {
  const { home, paste, files, unitFile } = await setUp({ sha256: 'f'.repeat(64) })
  const result = await home.paste(paste)
  expect([result.status, result.stderr]).toEqual([
    1,
    'The agent that came is not the one that the page shows. Nothing was installed: reload the page and paste again.\n',
  ])
  const made = [files.program, `${files.program}.new`, files.token, unitFile]
  expect(made.filter((name) => existsSync(join(home.path, name)))).toEqual([])
})

test('a service that does not answer yet is told, and the agent is there for when it does', async () => {
  const { home, paste, unitFile } = await setUp({
    service: { kind: 'address', url: 'http://127.0.0.1:1' },
  })
  const result = await home.paste(paste)
  expect(result.status).toBe(1)
  expect(result.stdout).toContain('FAILS: the service http://127.0.0.1:1: ')
  expect(result.stderr).toBe('The agent is installed, but something is missing yet: see above.\n')
  expect(existsSync(join(home.path, unitFile))).toBe(true)
})

test('an agent that systemd does not keep running is told, and not as done', async () => {
  const { home, paste, unit } = await setUp()
  await home.putProgram('systemctl', '[ "$2" != is-active ]')
  const result = await home.paste(paste)
  expect(result.status).toBe(1)
  expect(result.stdout).not.toContain('Done')
  expect(result.stderr).toBe(
    `The agent is installed, but it does not run. See why: journalctl --user -u ${unit}\n`,
  )
})

test('the removal takes away the unit, the agent, its id and its token', async () => {
  const { home, paste, guide, unit, unitFile, files } = await setUp()
  await home.paste(paste)
  await home.write(files.agentId, 'made by the agent')
  expect(await home.paste(guide.removal.text)).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(await home.read('calls')).toContain(`systemctl --user disable --now ${unit}`)
  const left = [unitFile, files.folder, files.token, files.agentId]
  expect(left.filter((name) => existsSync(join(home.path, name)))).toEqual([])
})

test('two islands on one device have an agent each, and the removal of one leaves the other', async () => {
  const { home, guide, paste, files, unitFile, input } = await setUp()
  const other = { ...input, islandId: 'b7a3f0de-2f0e-4e53-8d5c-6c1f5f0a9e21' }
  const otherGuide = systemdAgent(other)
  await home.paste(paste)
  await home.paste(otherGuide.steps.map((step) => step.text).join('\n'))
  expect(await home.read(unitFile)).toContain(` --island ${input.islandId} `)
  await home.paste(guide.removal.text)
  expect(existsSync(join(home.path, files.program))).toBe(false)
  const otherFiles = agentFiles(other.islandId)
  const otherUnit = `.config/systemd/user/astropelago-agent-${other.islandId}.service`
  expect(await home.read(otherUnit)).toContain(` --island ${other.islandId} `)
  const left = [otherFiles.program, otherFiles.node, otherFiles.token]
  expect(left.filter((name) => !existsSync(join(home.path, name)))).toEqual([])
})

// systemd is Linux's own: elsewhere there is nothing to verify with.
test.runIf(process.platform === 'linux').each<RelayInstall['service']>([
  { kind: 'address', url: 'http://[::1]:8080' },
  { kind: 'folder', path: '~/my site$x%' },
  { kind: 'folder', path: "/it's/$(touch pwned)&;\\x%h" },
])('systemd-analyze verify finds nothing in the unit (%o)', async (service) => {
  const { home, guide, unit, files } = await setUp({ service })
  await home.write(files.node, '#!/bin/sh\n', 0o755)
  await home.write(unit, guide.installs[0]?.text ?? '')
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
