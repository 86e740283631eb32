import { agentPath } from '@astropelago/contract/relay-agent'
import { needPrograms } from '../heartbeat-commands/shell-paste.ts'
import { shellQuote } from '../heartbeat-commands/shell-quote.ts'
import { agentOptions, type RelayInstall } from './relay-install.ts'
import { shellQuoting } from './shell-quoting.ts'

/** Where the files of an island's agent lie, from the home folder: a device may carry several islands. */
export function agentFiles(islandId: string) {
  const folder = `.local/share/astropelago/${islandId}`
  const token = `.config/astropelago/${islandId}.relay-token`
  return {
    folder,
    program: `${folder}/agent.mjs`,
    /** A link to Node, so that what is installed is the same on every device. */
    node: `${folder}/node`,
    token,
    /** Made by the agent. */
    agentId: `${token}-agent-id-${islandId}`,
  }
}

export const nodeMin = 18

/** Where Node comes from, for who has none or an old one. */
const nodeSource =
  'Debian 12, Ubuntu 24.04, Raspberry Pi OS 12 and newer have it (as root: apt install nodejs). All others find it at https://nodejs.org'

/** Says whether a file is the agent of the page. */
const hashScript = (sha256: string) => [
  "const hash = require('crypto').createHash('sha256')",
  "hash.update(require('fs').readFileSync(process.argv[2]))",
  `process.exit(hash.digest('hex') === '${sha256}' ? 0 : 1)`,
]

/**
 * Shell lines of a `shellInstall` that find Node, fetch the agent, and have it say of each thing that it needs
 * whether it is there. Only what it carries may still be missing: the rest of the paste is for when it is there.
 */
export function checkAgent(input: RelayInstall): string[] {
  const { publicUrl, sha256, token } = input
  const options = agentOptions(input, '"$work/relay-token"', shellQuoting)
  return [
    ...needPrograms(['curl']),
    'node=$(command -v node || command -v nodejs || :)',
    `[ -n "$node" ] || fail 'Node.js is missing. ${nodeSource}'`,
    `"$node" -e 'process.exit(parseInt(process.versions.node) < ${nodeMin} ? 1 : 0)' </dev/null ||`,
    `  fail "Node.js is $("$node" --version) here, and the agent needs ${nodeMin} or newer. ${nodeSource}"`,
    // What fnm makes for one shell goes with it. Others stay as found: Homebrew's real path goes at each upgrade.
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
    // The token's file is not yet where it stays.
    String.raw`printf '%s\n' "$told" | grep -v "^works: the token in "`,
  ]
}

/** Shell lines of a `shellInstall` that put the agent there, with a link to Node and the token. */
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

/** Shell lines that end a paste. */
export const sayIfVisitorsCome = [
  '[ -n "$missing" ] || { echo \'Visitors can come.\'; exit 0; }',
  String.raw`printf '%s\n' 'Visitors get nothing yet. What is missing:' "$missing" 'They come once that is there; nothing has to be pasted again.' >&2`,
  'exit 1',
]

/** Files and folders of an agent, from the home folder. */
export function allAgentFiles(islandId: string): string[] {
  const { folder, token, agentId } = agentFiles(islandId)
  return [folder, token, agentId]
}

export const replacedNote =
  'Pasting it again replaces the agent of this island, for instance by a newer one or with another port. Those of other islands on this device go on.'

/** What each way to install it has to say. */
export function agentNotes({ islandId }: RelayInstall): string[] {
  return [
    `It needs Node.js ${nodeMin} or newer. ${nodeSource}.`,
    `The token goes into ~/${agentFiles(islandId).token}, which only your user can read. Your shell may keep the paste in its history.`,
    replacedNote,
  ]
}
