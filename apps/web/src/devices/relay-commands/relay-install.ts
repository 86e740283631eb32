import { shellQuote } from '../heartbeat-commands/quote.ts'

export type HomeService =
  /** For example `http://localhost:8080`. */
  | { readonly kind: 'address'; readonly url: string }
  /** As typed by its owner: absolute, or `~/site` in the home folder. */
  | { readonly kind: 'folder'; readonly path: string; readonly isListing?: boolean }

export interface RelayInstall {
  readonly publicUrl: string
  /** A device token with the scope `relay`. */
  readonly token: string
  /** A UUID, in file, unit and task names, because a slug can change. The agent carries only it. */
  readonly islandId: string
  /** The SHA-256 of the agent's file, from the server. */
  readonly sha256: string
  readonly service: HomeService
  /** For example `localhost:25565`, if the island has its own port. */
  readonly tcp: string | undefined
}

interface Quoting {
  readonly word: (text: string) => string
  /** The path is relative to the home folder; empty for the home folder itself. */
  readonly inHome: (path: string) => string
}

export function agentOptions(
  { publicUrl, service, tcp, islandId }: RelayInstall,
  tokenFile: string,
  { word, inHome }: Quoting,
): string {
  const words = ['--server', word(new URL(publicUrl).origin)]
  if (service.kind === 'address') {
    words.push('--to', word(new URL(service.url).origin))
  } else {
    const [, path] = /^~[/\\]*(.*)$/.exec(service.path) ?? []
    words.push('--folder', path === undefined ? word(service.path) : inHome(path))
    if (service.isListing === true) words.push('--list')
  }
  if (tcp !== undefined) words.push('--tcp', word(tcp))
  return [...words, '--island', word(islandId), '--token-file', tokenFile].join(' ')
}

export const shellQuoting = {
  word: shellQuote,
  inHome: (path: string) => (path === '' ? '"$HOME"' : `"$HOME"/${shellQuote(path)}`),
}
