import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { launchdCommand } from './heartbeat-guides.ts'
import { recordingServer } from './testing/recording-server.ts'
import { awkwardPath, sampleHeartbeat } from './testing/sample-heartbeat.ts'
import { throwawayHome } from './testing/throwaway-home.ts'

async function setUp(urlPath = '') {
  const home = await throwawayHome()
  const server = await recordingServer()
  const input = sampleHeartbeat(server.url + urlPath)
  // Records its calls. The home's file `loaded` means that an agent is loaded.
  await home.putProgram(
    'launchctl',
    'echo "launchctl $*" >>"$HOME/calls"; [ "$1" != bootout ] || [ -f "$HOME/loaded" ]',
  )
  await home.putProgram('sleep', 'echo "sleep $*" >>"$HOME/calls"')
  await home.putProgram('id', 'echo 501')
  const guide = launchdCommand(input)
  const paste = guide.steps.map((step) => step.text).join('\n')
  const plist = guide.installs.map((block) => block.text).join('\n')
  return { home, server, input, guide, paste, plist, label: `astropelago.${input.deviceId}` }
}

const PropertyList = v.object({
  plist: v.object({
    dict: v.object({
      key: v.array(v.string()),
      string: v.string(),
      array: v.object({ string: v.array(v.string()) }),
      integer: v.string(),
      true: v.string(),
    }),
  }),
})

function dictOf(plist: string) {
  expect(XMLValidator.validate(plist)).toBe(true)
  return v.parse(PropertyList, new XMLParser({ parseTagValue: false }).parse(plist)).plist.dict
}

test('the property list runs curl at login and every 2 minutes', async () => {
  const { plist, server, input, label } = await setUp()
  const header = `"$HOME/.config/astropelago/${input.deviceId}.header"`
  expect(dictOf(plist)).toEqual({
    key: ['Label', 'ProgramArguments', 'StartInterval', 'RunAtLoad'],
    string: label,
    array: {
      string: [
        '/bin/sh',
        '-c',
        `exec /usr/bin/curl -fsS -m 10 --retry 3 -o /dev/null -X POST -H @${header} ${server.url}/api/devices/heartbeat-token`,
      ],
    },
    integer: '120',
    true: '',
  })
})

test('keys and values take turns in the property list, each of its type', async () => {
  const { plist } = await setUp()
  const names = [...plist.matchAll(/^ {2}<(\w+)\/?>/gm)].map((match) => match[1])
  expect(names).toEqual(['key', 'string', 'key', 'array', 'key', 'integer', 'key', 'true'])
})

test.each(['', awkwardPath])(
  'its arguments send one heartbeat with the token (server path "%s")',
  async (urlPath) => {
    const { home, server, input, paste, plist } = await setUp(urlPath)
    await home.paste(paste)
    const paths = server.requests.splice(0).map((request) => request.path)
    const [program = '', ...programArguments] = dictOf(plist).array.string
    const result = await home.run(program, programArguments)
    expect(result).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(server.requests.map((request) => request.path)).toEqual(paths)
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${input.token}`)
  },
)

test('the paste loads the property list as shown, with the token in a file of mode 0600', async () => {
  const { home, input, paste, plist, label } = await setUp()
  const result = await home.paste(`umask 0\n${paste}`)
  expect(result.stdout).toBe('Done: the first heartbeat arrived, more follow every 2 minutes.\n')
  expect(await home.read(`Library/LaunchAgents/${label}.plist`)).toBe(plist)
  expect(await home.modeOf(`.config/astropelago/${input.deviceId}.header`)).toBe(0o600)
  expect(plist).not.toContain(input.token)
  expect((await home.read('calls')).trimEnd().split('\n')).toEqual([
    `launchctl bootout gui/501/${label}`,
    `launchctl bootstrap gui/501 ${home.path}/Library/LaunchAgents/${label}.plist`,
  ])
})

test('a loaded agent gets time to end before it is loaded again', async () => {
  const { home, paste } = await setUp()
  await home.write('loaded', '')
  await home.paste(paste)
  expect(await home.read('calls')).toMatch(/ bootout .*\nsleep 2\n.* bootstrap /)
})

test('the removal deletes agent and token', async () => {
  const { home, input, paste, guide, label } = await setUp()
  await home.paste(paste)
  await home.write('loaded', '')
  expect((await home.paste(guide.removal?.text ?? '')).status).toBe(0)
  const left = [
    `Library/LaunchAgents/${label}.plist`,
    `.config/astropelago/${input.deviceId}.header`,
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
