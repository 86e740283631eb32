import { agentPath } from '@astropelago/contract/relay-agent'
import { addressNotes } from '../heartbeat-commands/address-notes.ts'
import type { CommandGuide } from '../heartbeat-commands/command-guide.ts'
import { shellQuote } from '../heartbeat-commands/shell-quote.ts'
import { agentFiles, nodeMin } from './agent-files.ts'
import { agentOptions, type HomeService, type RelayInstall } from './relay-install.ts'
import { shellQuoting } from './shell-quoting.ts'

/** The one that deploy/Dockerfile is built on. */
const image = 'node:26-slim'

/** Shell commands, joined by &&, that put a file with the token and the agent of the page into the folder one is in. */
function fetchAgent({ publicUrl, sha256, token }: RelayInstall): string[] {
  return [
    'umask 077',
    'rm -f relay-token',
    String.raw`printf '%s\n' ${shellQuote(token)} >relay-token`,
    `curl -fsS -m 60 -o agent.mjs ${shellQuote(new URL(agentPath, publicUrl).href)}`,
    `echo '${sha256}  agent.mjs' | sha256sum -c -`,
  ]
}

/** One line that runs the agent for as long as a terminal is open, from a folder that goes with the next restart. */
export function foregroundAgent(input: RelayInstall): string {
  const options = agentOptions(input, 'relay-token', shellQuoting)
  const commands = ['cd "$(mktemp -d)"', ...fetchAgent(input), `exec node agent.mjs ${options}`]
  return `(${commands.join(' && ')})`
}

export function foregroundAgentGuide(input: RelayInstall): CommandGuide {
  return {
    steps: [
      {
        title: 'Paste this line, and leave the terminal open',
        text: foregroundAgent(input),
        language: 'sh',
      },
    ],
    installs: [],
    removal: undefined,
    notes: [
      `It runs until you press Ctrl+C, and needs Node.js ${nodeMin} or newer.`,
      'The agent and the token lie in a temporary folder that only your user can read.',
      ...addressNotes(input.publicUrl),
    ],
  }
}

/** A file or a folder of this machine in a container, read by it alone. A comma would end the path. */
function mount(source: string, target: string): string {
  const path = source.includes(',') ? `'"'src=${source}'"'` : `src=${source}`
  return `--mount type=bind,${path},dst=${target},readonly`
}

/** The agent in a container, with the network of this machine, so that it reaches what is hosted here. */
export function dockerAgentGuide(input: RelayInstall): CommandGuide {
  const { publicUrl, islandId, service } = input
  const folder = agentFiles(islandId).folder
  const inHome = `"$HOME"/${folder}`
  const { hosted, mounts } = inContainer(service)
  const options = agentOptions({ ...input, service: hosted }, '/tmp/relay-token', shellQuoting)
  return {
    steps: [
      {
        title: 'Fetch the agent and write the token: paste this into a terminal on the device',
        text: `(${[`mkdir -p ${inHome}`, `cd ${inHome}`, ...fetchAgent(input)].join(' &&\n  ')})`,
        language: 'sh',
      },
      {
        title: 'Then run it',
        text: [
          'docker run --rm --network host --user "$(id -u):$(id -g)"',
          mount(`${inHome}/agent.mjs`, '/agent.mjs'),
          mount(`${inHome}/relay-token`, '/tmp/relay-token'),
          ...mounts,
          `${image} node /agent.mjs ${options}`,
        ].join(' \\\n  '),
        language: 'sh',
      },
    ],
    installs: [],
    removal: {
      title: 'To remove its files, after Ctrl+C',
      text: `rm -r ${inHome}`,
      language: 'sh',
    },
    notes: [
      'With -d --restart unless-stopped in place of --rm it runs on by itself, also after a restart.',
      'The token is mounted as a file, which only your user can read: it is in no list of processes and in no image.',
      'It shares the network of this machine, so that the agent reaches what listens here. Docker Desktop may have to be allowed to.',
      ...addressNotes(publicUrl),
    ],
  }
}

function inContainer(service: HomeService): { hosted: HomeService; mounts: string[] } {
  if (service.kind === 'address') return { hosted: service, mounts: [] }
  const [, path] = /^~[/\\]*(.*)$/.exec(service.path) ?? []
  const source = path === undefined ? shellQuote(service.path) : shellQuoting.inHome(path)
  return { hosted: { ...service, path: '/folder' }, mounts: [mount(source, '/folder')] }
}
