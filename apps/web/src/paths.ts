import { loungeSlug, operatorPage, type pageParts, pages } from '@astropelago/contract/pages'

type PartOf<Page extends keyof typeof pageParts> = (typeof pageParts)[Page][number]
export type IslandSettingsPart = PartOf<'islandSettings'>
export type OperatorPart = PartOf<'operator'>
export type DiscoverCategory = PartOf<'discover'>

/** All links of the web app. Don't write links by hand elsewhere. */
export const paths = {
  landing: () => pages.landing,
  /** The landing page's section on connecting a device. */
  landingConnect: () => `${pages.landing}#connect`,
  landingHowItWorks: () => `${pages.landing}#how-it-works`,
  landingSafety: () => `${pages.landing}#safety`,
  landingFaq: () => `${pages.landing}#faq`,
  explore: () => pages.explore,
  /** Explore with the sign-in dialog open. */
  signIn: () => `${pages.explore}?signin=1`,
  /** The page that sets a new password with a one-time code. */
  resetPassword: () => pages.resetPassword,
  confirmEmail: () => pages.confirmEmail,
  confirmChannel: () => pages.confirmChannel,
  unsubscribe: () => pages.unsubscribe,
  discover: () => pages.discover,
  /** Discover with a category open, filtered if the category has filters. */
  discoverCategory: (category: DiscoverCategory, filter?: Readonly<Record<string, string>>) =>
    `${pages.discover}/${category}${queryOf(filter)}`,
  harborLogs: () => pages.harborLogs,
  library: () => pages.library,
  guide: (name: string) => `${pages.library}/${encodeURIComponent(name)}`,
  observatory: () => pages.observatory,
  /** The Observatory, turned to a device. */
  observatoryDevice: (id: string) =>
    `${pages.observatory}?${new URLSearchParams({ device: id }).toString()}`,
  /** A device's page, for everybody who may see the device. */
  device: (id: string) => `/devices/${encodeURIComponent(id)}`,
  /** A device's page at another installation. */
  neighbourDevice: (address: string, id: string) => `${address}/devices/${encodeURIComponent(id)}`,
  /** A user's public devices and islands, on a page that the server renders. */
  statusPage: (username: string) => `/status/${encodeURIComponent(username)}`,
  account: () => pages.account,
  /** A part of Account. The devices are at the path without a part. */
  accountPart: (part: PartOf<'account'>) => `${pages.account}/${part}`,
  dashboard: () => pages.dashboard,
  checks: () => pages.checks,
  /** A check's page, for everybody who may see the check. */
  check: (id: string) => `${pages.checks}/${encodeURIComponent(id)}`,
  checkStatusBadge: (id: string) => `/badges/checks/${encodeURIComponent(id)}/status.svg`,
  checkUptimeBadge: (id: string) => `/badges/checks/${encodeURIComponent(id)}/uptime.svg`,
  connect: () => pages.connect,
  /** Connect with one of the user's devices selected. */
  connectDevice: (id: string) =>
    `${pages.connect}?${new URLSearchParams({ device: id }).toString()}`,
  /** Connect for hosting, with one of the user's devices and islands selected. */
  connectHosting: (device?: string, island?: string) =>
    `${pages.connect}?${new URLSearchParams({
      for: 'hosting',
      ...(device !== undefined && { device }),
      ...(island !== undefined && { island }),
    }).toString()}`,
  /** The page that creates an island, or with an id, a step of creating an existing draft. */
  newIsland: (id?: string, step?: string) =>
    id === undefined
      ? pages.newIsland
      : `${pages.newIsland}?${new URLSearchParams({ island: id, ...(step !== undefined && { step }) }).toString()}`,
  /** The page that creates an island, with its name filled in and the device chosen that will carry it. */
  newIslandOn: (device: string | undefined, name = '') =>
    `${pages.newIsland}?${new URLSearchParams({
      ...(device !== undefined && { device }),
      ...(name !== '' && { name }),
    }).toString()}`,
  /** The page that creates an island, or goes on with a draft, after its user chose what it is. */
  newIslandAs: (what: string, id?: string) =>
    `${pages.newIsland}?${new URLSearchParams({ what, ...(id !== undefined && { island: id }) }).toString()}`,
  island: (slug: string) => `/islands/${encodeURIComponent(slug)}`,
  /** The page that asks visitors whether a relayed island may learn their name. */
  islandName: (slug: string) => `/islands/${encodeURIComponent(slug)}/enter?ask=1`,
  /** A part of an island's settings. */
  islandSettings: (slug: string, part?: IslandSettingsPart) =>
    `/islands/${encodeURIComponent(slug)}/settings${part === undefined ? '' : `/${part}`}`,
  /** Where the host of an island with hosted pages finds its deployments. */
  islandPages: (slug: string) => `/islands/${encodeURIComponent(slug)}/settings/pages`,
  /** The editor of an island's hosted pages, with a file open, at a line. */
  islandEditor: (slug: string, file?: string, line?: number) =>
    `/islands/${encodeURIComponent(slug)}/editor${queryOf({
      ...(file !== undefined && { file }),
      ...(line !== undefined && { line: String(line) }),
    })}`,
  invitation: () => pages.invitation,
  /** The operators' screen. For everybody else this is an ordinary unknown slug. */
  mothership: (part?: OperatorPart, asked?: Readonly<Record<string, string>>) =>
    `${operatorPage}${part === undefined ? '' : `/${part}`}${queryOf(asked)}`,
  tavern: () => `/${loungeSlug}`,
  apiDocs: () => '/api/docs',
} as const

function queryOf(parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(parameters).toString()
  return query === '' ? '' : `?${query}`
}
