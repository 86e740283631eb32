import { t } from '@lingui/core/macro'
import { addressNotes, type CommandGuide, sh } from '../heartbeat-commands/command-guide.ts'
import { shellQuote } from '../heartbeat-commands/quote.ts'
import { agentFiles, fetchAgent, foregroundAgent, nodeMin } from './agent-files.ts'
import { agentOptions, type HomeService, type RelayInstall, shellQuoting } from './relay-install.ts'

/** The base image of deploy/Dockerfile. */
const image = 'node:26-slim'

export function foregroundAgentGuide(input: RelayInstall): CommandGuide {
  return {
    steps: [sh(t`Paste this line, and leave the terminal open`, foregroundAgent(input))],
    installs: [],
    removal: undefined,
    notes: [
      t`It runs until you press Ctrl+C, and needs Node.js ${nodeMin} or newer.`,
      t`The agent and the token lie in a temporary folder that only your user can read.`,
      ...addressNotes(input.publicUrl),
    ],
  }
}

/** Mounts a file or folder of this machine read-only in a container. A comma would end the path. */
function mount(source: string, target: string): string {
  const path = source.includes(',') ? `'"'src=${source}'"'` : `src=${source}`
  return `--mount type=bind,${path},dst=${target},readonly`
}

/** Runs the agent in a container on the host's network, so that it reaches services on this machine. */
export function dockerAgentGuide(input: RelayInstall): CommandGuide {
  const { publicUrl, islandId, service } = input
  const folder = agentFiles(islandId).folder
  const inHome = `"$HOME"/${folder}`
  const { hosted, mounts } = inContainer(service)
  const options = agentOptions({ ...input, service: hosted }, '/tmp/relay-token', shellQuoting)
  return {
    steps: [
      sh(
        t`Fetch the agent and write the token: paste this into a terminal on the device`,
        `(${[`mkdir -p ${inHome}`, `cd ${inHome}`, ...fetchAgent(input)].join(' &&\n  ')})`,
      ),
      sh(
        t`Then run it`,
        [
          'docker run --rm --network host --user "$(id -u):$(id -g)"',
          mount(`${inHome}/agent.mjs`, '/agent.mjs'),
          mount(`${inHome}/relay-token`, '/tmp/relay-token'),
          ...mounts,
          `${image} node /agent.mjs ${options}`,
        ].join(' \\\n  '),
      ),
    ],
    installs: [],
    removal: sh(t`To remove its files, after Ctrl+C`, `rm -r ${inHome}`),
    notes: [
      t`With -d --restart unless-stopped in place of --rm it runs on by itself, also after a restart.`,
      t`The token is mounted as a file, which only your user can read: it is in no list of processes and in no image.`,
      t`It shares the network of this machine, so that the agent reaches what listens here. Docker Desktop may have to be allowed to.`,
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
