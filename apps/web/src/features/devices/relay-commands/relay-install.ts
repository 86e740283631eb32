/** What the visitors of a device's islands reach. */
export type HomeService =
  /** Such as `http://localhost:8080`. */
  | { readonly kind: 'address'; readonly url: string }
  /** As its owner writes it: absolute, or `~/site` in their home folder. */
  | { readonly kind: 'folder'; readonly path: string; readonly isListing?: boolean }

/** What a device needs to carry an island's visitors. */
export interface RelayInstall {
  /** The server's address as users see it. */
  readonly publicUrl: string
  /** Of the scope `relay`. */
  readonly token: string
  /**
   * A UUID: the agent carries this island alone, whatever its device does later, and it is part of file, unit and
   * task names. A slug would change.
   */
  readonly islandId: string
  /** Of the agent's file, from the server. */
  readonly sha256: string
  readonly service: HomeService
  /** Such as `localhost:25565`, where an island has a port of its own. */
  readonly tcp: string | undefined
}

/** What is wrong with what somebody wants to host, in a sentence for its field; undefined where it is fine. */
export function serviceTrouble(service: HomeService): string | undefined {
  if (service.kind === 'folder') {
    return /^(~$|~?[/\\]|[a-z]:[/\\])/i.test(service.path) && !/[\p{Cc}"]/u.test(service.path)
      ? undefined
      : 'Write the whole path of the folder, such as ~/site or /srv/site.'
  }
  const url = URL.parse(service.url)
  const isBare =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    // Chromium takes a blank for a part of a name.
    /^[\w.:[\]-]+$/.test(url.host) &&
    `${url.pathname}${url.search}${url.hash}` === '/' &&
    url.username === '' &&
    url.password === ''
  return isBare
    ? undefined
    : 'Write http or https, a name and a port, and nothing after that. For example: http://localhost:8080.'
}

/** The same of what visitors of an island's own port reach. */
export function tcpTrouble(tcp: string): string | undefined {
  const [, port] = /^[\w.:[\]-]+:(\d{1,5})$/.exec(tcp) ?? []
  return Number(port) >= 1 && Number(port) <= 65_535
    ? undefined
    : 'Write a port, or a name and a port, such as localhost:25565.'
}

/** How a shell, systemd or Windows is given one word, and a path in the home folder. */
interface Quoting {
  readonly word: (text: string) => string
  /** The path is relative to the home folder; empty for that folder itself. */
  readonly inHome: (path: string) => string
}

/** The agent's options, the token's file last. */
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
