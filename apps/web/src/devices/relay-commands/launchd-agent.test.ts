import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { shellQuote } from '../heartbeat-commands/quote.ts'
import { throwawayHome } from '../heartbeat-commands/testing/throwaway-home.ts'
import { agentFiles } from './agent-files.ts'
import { launchdAgent } from './relay-guides.ts'
import { agentServer } from './testing/agent-server.ts'

async function setUp() {
  const home = await throwawayHome()
  const { install, dials } = await agentServer()
  // Records its calls. The home's file `loaded` means that an agent is loaded.
  await home.putProgram(
    'launchctl',
    'echo "launchctl $*" >>"$HOME/calls"; [ "$1" != print ] || echo "state = running"; [ "$1" != bootout ] || [ -f "$HOME/loaded" ]',
  )
  await home.putProgram('sleep', 'echo "sleep $*" >>"$HOME/calls"')
  await home.putProgram('id', 'echo 501')
  await home.putProgram('node', `exec ${shellQuote(process.execPath)} "$@"`)
  const guide = launchdAgent(install)
  return {
    home,
    dials,
    install,
    guide,
    paste: guide.steps.map((step) => step.text).join('\n'),
    plist: guide.installs.map((block) => block.text).join('\n'),
    label: `astropelago.agent.${install.islandId}`,
    files: agentFiles(install.islandId),
  }
}

const PropertyList = v.object({
  plist: v.object({
    dict: v.object({
      key: v.array(v.string()),
      string: v.string(),
      array: v.object({ string: v.array(v.string()) }),
      dict: v.object({ key: v.string(), false: v.string() }),
      true: v.string(),
    }),
  }),
})

function dictOf(plist: string) {
  expect(XMLValidator.validate(plist)).toBe(true)
  return v.parse(PropertyList, new XMLParser({ parseTagValue: false }).parse(plist)).plist.dict
}

test('the property list runs the agent from login on, and restarts it when it fails', async () => {
  const { plist, label } = await setUp()
  const { array: _, ...rest } = dictOf(plist)
  expect(rest).toEqual({
    key: ['Label', 'ProgramArguments', 'KeepAlive', 'RunAtLoad'],
    string: label,
    dict: { key: 'SuccessfulExit', false: '' },
    true: '',
  })
})

test('what it runs dials with the token, and a refusal for good is no failure to launchd', async () => {
  const { home, dials, install, paste, plist } = await setUp()
  await home.paste(paste)
  const [program = '', ...programArguments] = dictOf(plist).array.string
  const result = await home.run(program, programArguments)
  expect(result).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(dials[0]?.headers.authorization).toBe(`Bearer ${install.token}`)
  const log = `Library/Logs/astropelago-agent-${install.islandId}.log`
  expect(await home.read(log)).toContain('Seen.')
  // After any other failure, launchd restarts the agent.
  await home.putProgram('node', 'exit 1')
  expect((await home.run(program, programArguments)).status).toBe(1)
})

test('the paste loads the property list as shown, with the token in a file of mode 0600', async () => {
  const { home, install, paste, plist, label, files } = await setUp()
  const result = await home.paste(`umask 0\n${paste}`)
  expect(result.stdout).toMatch(/\nDone: the agent runs\.\nVisitors can come\.\n$/)
  expect([result.status, result.stderr]).toEqual([0, ''])
  expect(await home.read(`Library/LaunchAgents/${label}.plist`)).toBe(plist)
  expect(await home.modeOf(files.token)).toBe(0o600)
  expect(await home.read(files.token)).toBe(`${install.token}\n`)
  expect((await home.read('calls')).trimEnd().split('\n')).toEqual([
    `launchctl bootout gui/501/${label}`,
    `launchctl bootstrap gui/501 ${home.path}/Library/LaunchAgents/${label}.plist`,
    'sleep 1',
    `launchctl print gui/501/${label}`,
  ])
})

test('the removal deletes the agent, its log, its id and its token', async () => {
  const { home, install, paste, guide, label, files } = await setUp()
  await home.paste(paste)
  await home.write('loaded', '')
  await home.write(files.agentId, 'made by the agent')
  expect((await home.paste(guide.removal?.text ?? '')).status).toBe(0)
  const left = [
    `Library/LaunchAgents/${label}.plist`,
    `Library/Logs/astropelago-agent-${install.islandId}.log`,
    files.folder,
    files.token,
    files.agentId,
  ]
  expect(left.filter((name) => existsSync(join(home.path, name)))).toEqual([])
})

test.runIf(process.platform === 'darwin')('plutil finds nothing in the property list', async () => {
  const { plist } = await setUp()
  const { status, stderr } = spawnSync('plutil', ['-lint', '-s', '-'], {
    input: plist,
    encoding: 'utf8',
  })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
