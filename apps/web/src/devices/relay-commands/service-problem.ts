import { t } from '@lingui/core/macro'
import type { HomeService } from './relay-install.ts'

/** The error for the service's field, in a sentence; undefined if it is valid. */
export function serviceProblem(service: HomeService): string | undefined {
  if (service.kind === 'folder') {
    return /^(~$|~?[/\\]|[a-z]:[/\\])/i.test(service.path) && !/[\p{Cc}"]/u.test(service.path)
      ? undefined
      : t`Write the whole path of the folder, such as ~/site or /srv/site.`
  }
  const url = URL.parse(service.url)
  const isBare =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    // Chromium accepts a space in a host name.
    /^[\w.:[\]-]+$/.test(url.host) &&
    `${url.pathname}${url.search}${url.hash}` === '/' &&
    url.username === '' &&
    url.password === ''
  return isBare
    ? undefined
    : t`Write http or https, a name and a port, and nothing after that. For example: http://localhost:8080.`
}

export function tcpProblem(tcp: string): string | undefined {
  const [, port] = /^[\w.:[\]-]+:(\d{1,5})$/.exec(tcp) ?? []
  return Number(port) >= 1 && Number(port) <= 65_535
    ? undefined
    : t`Write a port, or a name and a port, such as localhost:25565.`
}
