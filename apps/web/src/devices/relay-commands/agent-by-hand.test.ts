import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shellQuote } from '../heartbeat-commands/quote.ts'
import { commandLines } from '../heartbeat-commands/testing/process-lists.ts'
import { throwawayHome } from '../heartbeat-commands/testing/throwaway-home.ts'
import { dockerAgentGuide } from './agent-by-hand.ts'
import { agentFiles, foregroundAgent } from './agent-files.ts'
import type { RelayInstall } from './relay-install.ts'
import { agentServer, sampleInstall } from './testing/agent-server.ts'

async function setUp() {
  const home = await throwawayHome()
  const server = await agentServer()
  await home.putProgram('node', `exec ${shellQuote(process.execPath)} "$@"`)
  const seen: string[] = []
  server.beforeRefusal = () => seen.push(...commandLines())
  return { home, server, seen, input: server.install }
}

const tellsNoToken = (seen: readonly string[], { token }: RelayInstall) => {
  expect(seen.filter((line) => line.includes('agent.mjs'))).not.toEqual([])
  expect(seen.filter((line) => line.includes(token))).toEqual([])
}

// sha256sum is from coreutils or busybox, so it needs Linux.
const isLinux = process.platform === 'linux'

test.runIf(isLinux)(
  'R45 one line runs the agent of the page in the foreground, with its token in a file',
  async () => {
    const { home, server, seen, input } = await setUp()
    const line = foregroundAgent(input)
    expect(line).not.toContain('\n')
    const { stdout } = await home.paste(line)
    expect(stdout).toContain('Seen.')
    expect(server.dials[0]?.headers.authorization).toBe(`Bearer ${input.token}`)
    tellsNoToken(seen, input)
    expect(await home.list('.')).toEqual([])
  },
)

test.runIf(isLinux)('R47 an agent that is another one is not run', async () => {
  const { home, server, input } = await setUp()
  const { status } = await home.paste(foregroundAgent({ ...input, sha256: 'f'.repeat(64) }))
  expect(status).not.toBe(0)
  expect(server.dials).toEqual([])
})

test('docker runs it as the user, on the machine’s network, with the token mounted as a file', () => {
  const { islandId } = sampleInstall
  const folder = `"$HOME"/.local/share/astropelago/${islandId}`
  const [, run] = dockerAgentGuide(sampleInstall).steps
  expect(run?.text.split(' \\\n  ')).toEqual([
    'docker run --rm --network host --user "$(id -u):$(id -g)"',
    `--mount type=bind,src=${folder}/agent.mjs,dst=/agent.mjs,readonly`,
    `--mount type=bind,src=${folder}/relay-token,dst=/tmp/relay-token,readonly`,
    `node:26-slim node /agent.mjs --server https://sky.example --to http://localhost:8080 --island ${islandId} --token-file /tmp/relay-token`,
  ])
})

// Docker may be missing here, so a fake applies the options to the files that they name.
const standInDocker = `[ "$1 $2 $3 $4 $5" = "run --rm --network host --user" ] && [ "$6" = "$(id -u):$(id -g)" ] || exit 1
shift 6
sources=
while [ "$1" = --mount ]; do
  echo "$2" | sed 's/^type=bind,//; s/^"src=\\(.*\\)",dst/src=\\1,dst/; s/^src=\\(.*\\),dst=\\(.*\\),readonly$/s|^\\2$|\\1|/' >>"$HOME/mounts"
  shift 2
done
[ "$1 $2" = "node:26-slim node" ] || exit 1
shift 2
for word; do
  shift
  set -- "$@" "$(printf '%s\\n' "$word" | sed -f "$HOME/mounts")"
done
exec node "$@"`

test.runIf(isLinux)('R45 the same steps without Docker dial with the token', async () => {
  const { home, server, seen, input } = await setUp()
  await home.putProgram('docker', standInDocker)
  const guide = dockerAgentGuide(input)
  for (const step of guide.steps) await home.paste(`umask 0\n${step.text}`)
  expect(server.dials[0]?.headers.authorization).toBe(`Bearer ${input.token}`)
  tellsNoToken(seen, input)
  const { folder } = agentFiles(input.islandId)
  expect(await home.modeOf(`${folder}/relay-token`)).toBe(0o600)
  await home.paste(guide.removal?.text ?? '')
  expect(existsSync(join(home.path, folder))).toBe(false)
})

test.runIf(isLinux).each(['~/my site, mine', "/srv/it's"])(
  'a folder is mounted, as its path may be: %s',
  async (path) => {
    const { home, seen, input } = await setUp()
    await home.putProgram('docker', standInDocker)
    const guide = dockerAgentGuide({ ...input, service: { kind: 'folder', path } })
    for (const step of guide.steps) await home.paste(step.text)
    const real = path.replace('~', home.path)
    expect(await home.read('mounts')).toContain(`s|^/folder$|${real}|\n`)
    expect(seen.some((line) => line.includes(` --folder ${real} `))).toBe(true)
  },
)
