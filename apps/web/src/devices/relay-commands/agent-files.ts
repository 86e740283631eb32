import { agentPath } from '@astropelago/contract/relay-agent'
import { shellQuote } from '../heartbeat-commands/quote.ts'
import { needPrograms } from '../heartbeat-commands/shell-paste.ts'
import { agentOptions, type RelayInstall, shellQuoting } from './relay-install.ts'

/** Relative to the home folder. They contain the island, because a device may carry several. */
export function agentFiles(islandId: string) {
  const folder = `.local/share/astropelago/${islandId}`
  const token = `.config/astropelago/${islandId}.relay-token`
  return {
    folder,
    program: `${folder}/agent.mjs`,
    /** A link to Node, so that the installed files are the same on every device. */
    node: `${folder}/node`,
    token,
    /** Written by the agent. */
    agentId: `${token}-agent-id-${islandId}`,
  }
}

export const nodeMin = 18

const nodeSource =
  'Debian 12, Ubuntu 24.04, Raspberry Pi OS 12 and newer have it (as root: apt install nodejs). All others find it at https://nodejs.org'

const hashScript = (sha256: string) => [
  "const hash = require('crypto').createHash('sha256')",
  "hash.update(require('fs').readFileSync(process.argv[2]))",
  `process.exit(hash.digest('hex') === '${sha256}' ? 0 : 1)`,
]

/** Finds Node, fetches the agent, and lets it check everything but the hosted service. */
export function checkAgent(input: RelayInstall): string[] {
  const { publicUrl, sha256, token } = input
  const options = agentOptions(input, '"$work/relay-token"', shellQuoting)
  return [
    ...needPrograms(['curl']),
    'node=$(command -v node || command -v nodejs || :)',
    `[ -n "$node" ] || fail 'Node.js is missing. ${nodeSource}'`,
    `"$node" -e 'process.exit(parseInt(process.versions.node) < ${nodeMin} ? 1 : 0)' </dev/null ||`,
    `  fail "Node.js is $("$node" --version) here, and the agent needs ${nodeMin} or newer. ${nodeSource}"`,
    // fnm makes paths that disappear with the shell, so resolve them. Keep other paths as they are:
    // Homebrew's resolved path disappears with each upgrade.
    'case $node in *fnm_multishells*) node=$("$node" -p process.execPath </dev/null) ;; esac',
    `server=${shellQuote(new URL(publicUrl).origin)}`,
    `curl -fsS -m 60 --retry 3 -o "$work/agent.mjs" ${shellQuote(new URL(agentPath, publicUrl).href)} 2>"$work/why" ||`,
    String.raw`  fail "the agent did not come from $server: $(sed -n 's/^curl: ([0-9]*) //p' "$work/why"). Look whether this device is online, and whether a browser on it opens that address."`,
    `"$node" - "$work/agent.mjs" <<'HASH' || fail 'the agent that came is not the one that the page shows. Reload the page, and paste its new block.'`,
    ...hashScript(sha256),
    'HASH',
    'cat >"$work/relay-token" <<\'TOKEN\'',
    token,
    'TOKEN',
    `told=$("$node" "$work/agent.mjs" ${options} --check </dev/null | sed 's/^[^ ]*Z //')`,
    String.raw`missing=$(printf '%s\n' "$told" | sed -n 's/^FAILS: //p')`,
    String.raw`first=$(printf '%s\n' "$missing" | head -n 1)`,
    'case $missing in',
    '  "the token"* | "the server"*) fail "$first. Look whether this device is online, and paste again." ;;',
    '  "connecting with"*) fail "$first Generate another token on the page, and paste its block." ;;',
    'esac',
    // The check uses a temporary token file, so do not show its path.
    String.raw`printf '%s\n' "$told" | grep -v "^works: the token in "`,
  ]
}

export function putAgent(islandId: string): string[] {
  const { program, node, token, agentId } = agentFiles(islandId)
  return [
    `put ${program} <"$work/agent.mjs"`,
    `put ${token} <"$work/relay-token"`,
    `keep ${node}`,
    `ln -sf "$node" ${node}`,
    `keep ${agentId}`,
  ]
}

export const sayIfVisitorsCome = [
  '[ -n "$missing" ] || { echo \'Visitors can come.\'; exit 0; }',
  String.raw`printf '%s\n' 'Visitors get nothing yet. What is missing:' "$missing" 'They come once that is there; nothing has to be pasted again.' >&2`,
  'exit 1',
]

export function allAgentFiles(islandId: string): string[] {
  const { folder, token, agentId } = agentFiles(islandId)
  return [folder, token, agentId]
}

/** Shell commands that write the token to a file and fetch the page's agent. */
export function fetchAgent({
  publicUrl,
  sha256,
  token,
}: Pick<RelayInstall, 'publicUrl' | 'sha256' | 'token'>): string[] {
  return [
    'umask 077',
    'rm -f relay-token',
    String.raw`printf '%s\n' ${shellQuote(token)} >relay-token`,
    `curl -fsS -m 60 -o agent.mjs ${shellQuote(new URL(agentPath, publicUrl).href)}`,
    `echo '${sha256}  agent.mjs' | sha256sum -c -`,
  ]
}

/** One line that lets the agent look at addresses for others while a terminal is open. */
export function lendingAgent(
  input: Pick<RelayInstall, 'publicUrl' | 'sha256' | 'token'>,
  checkLan?: string,
): string {
  const server = shellQuote(new URL(input.publicUrl).origin)
  const lan = checkLan === undefined ? '' : ` --check-lan ${shellQuote(checkLan)}`
  const run = `exec node agent.mjs --server ${server} --lend${lan} --token-file relay-token`
  return `(${['cd "$(mktemp -d)"', ...fetchAgent(input), run].join(' && ')})`
}

/** One line that runs the agent while a terminal is open. Its folder is deleted with the next restart. */
export function foregroundAgent(input: RelayInstall): string {
  const options = agentOptions(input, 'relay-token', shellQuoting)
  const commands = ['cd "$(mktemp -d)"', ...fetchAgent(input), `exec node agent.mjs ${options}`]
  return `(${commands.join(' && ')})`
}
