import { agentPath } from '@astropelago/contract/relay-agent'
import { shellQuote } from '../heartbeat-commands/shell-quote.ts'
import type { RelayInstall } from './relay-install.ts'

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
  'Debian 12, Ubuntu 24.04, Raspberry Pi OS 12 and newer have it: sudo apt install nodejs. All others find it at https://nodejs.org'

/**
 * Shell lines that find Node, fetch the agent and write the token. The token's file is removed first: an older
 * one would keep a wider mode. Nothing is left of an agent that is not the one that the page shows.
 */
export function writeAgent({ publicUrl, sha256, token, islandId }: RelayInstall): string[] {
  const { folder, program, node, token: tokenFile } = agentFiles(islandId)
  const address = new URL(agentPath, publicUrl).href
  return [
    'node=$(command -v node || command -v nodejs || :)',
    'if [ -z "$node" ]; then',
    `  echo 'Nothing was done: Node.js is missing. ${nodeSource}' >&2`,
    '  exit 1',
    'fi',
    `if ! "$node" -e 'process.exit(parseInt(process.versions.node) < ${nodeMin} ? 1 : 0)' </dev/null; then`,
    `  echo "Nothing was done: Node.js is $("$node" --version), and the agent needs ${nodeMin} or newer. ${nodeSource}" >&2`,
    '  exit 1',
    'fi',
    // What fnm makes for one shell goes with it. Others stay as found: Homebrew's real path goes at each upgrade.
    `case $node in *fnm_multishells*) node=$("$node" -p process.execPath </dev/null) ;; esac`,
    `mkdir -p "$HOME/${folder}" "$HOME/.config/astropelago"`,
    `curl -fsS -m 60 --retry 3 -o "$HOME/${program}.new" ${shellQuote(address)}`,
    `"$node" - "$HOME/${program}.new" <<'HASH' || { rm -f "$HOME/${program}.new"; echo 'The agent that came is not the one that the page shows. Nothing was installed: reload the page and paste again.' >&2; exit 1; }`,
    "const hash = require('crypto').createHash('sha256')",
    "hash.update(require('fs').readFileSync(process.argv[2]))",
    `process.exit(hash.digest('hex') === '${sha256}' ? 0 : 1)`,
    'HASH',
    `mv -f "$HOME/${program}.new" "$HOME/${program}"`,
    `ln -sf "$node" "$HOME/${node}"`,
    `rm -f "$HOME/${tokenFile}"`,
    String.raw`printf '%s\n' ${shellQuote(token)} >"$HOME/${tokenFile}"`,
  ]
}

/**
 * Shell lines that end a paste: the agent says of each thing that it needs whether it is there, and its keeper
 * whether it runs.
 */
export function checkAgent(
  islandId: string,
  options: string,
  keeper: { readonly isRunning: string; readonly seeWhy: string },
): string[] {
  const { node, program } = agentFiles(islandId)
  return [
    `if ! "$HOME/${node}" "$HOME/${program}" ${options} --check </dev/null; then`,
    "  echo 'The agent is installed, but something is missing yet: see above.' >&2",
    '  exit 1',
    'fi',
    `if ${keeper.isRunning}; then`,
    "  echo 'Done: the agent runs, and visitors can come.'",
    'else',
    `  echo ${shellQuote(`The agent is installed, but it does not run. See why: ${keeper.seeWhy}`)} >&2`,
    '  exit 1',
    'fi',
  ]
}

/** Shell lines that take all of it away. */
export function removeAgent(islandId: string): string[] {
  const { folder, program, node, token, agentId } = agentFiles(islandId)
  return [
    `rm -f ${[program, node, token, agentId].map((file) => `"$HOME/${file}"`).join(' ')}`,
    `rmdir "$HOME/${folder}" 2>/dev/null || :`,
  ]
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
