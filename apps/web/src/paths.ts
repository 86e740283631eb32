import { loungeSlug, pages } from '@astropelago/contract/pages'

/** A part of an island's settings, as it stands in their address. */
export type IslandSettingsPart =
  | 'details'
  | 'picture'
  | 'door'
  | 'pause'
  | 'members'
  | 'invitations'
  | 'requests'
  | 'neighbours'
  | 'close'

/** Every link of the web app. A link written by hand elsewhere is a mistake. */
export const paths = {
  landing: () => pages.landing,
  /** The landing page's section about connecting a device. */
  landingConnect: () => `${pages.landing}#connect`,
  landingHowItWorks: () => `${pages.landing}#how-it-works`,
  landingSafety: () => `${pages.landing}#safety`,
  landingFaq: () => `${pages.landing}#faq`,
  explore: () => pages.explore,
  /** Explore with the sign-in dialog open. */
  signIn: () => `${pages.explore}?signin=1`,
  /** Where a one-time code sets a new password. */
  resetPassword: () => pages.resetPassword,
  confirmEmail: () => pages.confirmEmail,
  confirmChannel: () => pages.confirmChannel,
  unsubscribe: () => pages.unsubscribe,
  discover: () => pages.discover,
  /** Discover with one of its categories open, narrowed where that category can be. */
  discoverCategory: (category: string, filter?: Readonly<Record<string, string>>) =>
    `${pages.discover}?${new URLSearchParams({ category, ...filter }).toString()}`,
  harborLogs: () => pages.harborLogs,
  library: () => pages.library,
  guide: (name: string) => `${pages.library}/${encodeURIComponent(name)}`,
  observatory: () => pages.observatory,
  /** The Observatory turned to a device. */
  observatoryDevice: (id: string) =>
    `${pages.observatory}?${new URLSearchParams({ device: id }).toString()}`,
  /** What became of a device, for whoever may know of it. */
  device: (id: string) => `/devices/${encodeURIComponent(id)}`,
  /** What the server draws itself of a user's devices and islands, for everybody. */
  statusPage: (username: string) => `/status/${encodeURIComponent(username)}`,
  account: () => pages.account,
  /** One part of Account; its devices are at the plain address. */
  accountPart: (part: string) => `${pages.account}?${new URLSearchParams({ part }).toString()}`,
  dashboard: () => pages.dashboard,
  connect: () => pages.connect,
  /** Connect with one of the user's devices selected. */
  connectDevice: (id: string) =>
    `${pages.connect}?${new URLSearchParams({ device: id }).toString()}`,
  /** Connect where a device hosts something, with one of them and one of the user's islands selected. */
  connectHosting: (device?: string, island?: string) =>
    `${pages.connect}?${new URLSearchParams({
      for: 'hosting',
      ...(device !== undefined && { device }),
      ...(island !== undefined && { island }),
    }).toString()}`,
  /** Where an island is made; with an id, a step of the making of a draft that was begun. */
  newIsland: (id?: string, step?: string) =>
    id === undefined
      ? pages.newIsland
      : `${pages.newIsland}?${new URLSearchParams({ island: id, ...(step !== undefined && { step }) }).toString()}`,
  /** The same for an island whose name is typed already, and that one of the user's devices will carry. */
  newIslandOn: (device: string | undefined, name = '') =>
    `${pages.newIsland}?${new URLSearchParams({
      ...(device !== undefined && { device }),
      ...(name !== '' && { name }),
    }).toString()}`,
  island: (slug: string) => `/islands/${encodeURIComponent(slug)}`,
  /** Where an island that the relay carries asks whether it may know who comes. */
  islandName: (slug: string) => `/islands/${encodeURIComponent(slug)}/enter?ask=1`,
  /** One part of what an island's host can set. */
  islandSettings: (slug: string, part?: IslandSettingsPart) =>
    `/islands/${encodeURIComponent(slug)}/settings${part === undefined ? '' : `?${new URLSearchParams({ part }).toString()}`}`,
  invitation: () => pages.invitation,
  /** The operators' screen; for everybody else one of the unknown slugs. */
  mothership: () => '/mothership',
  tavern: () => `/${loungeSlug}`,
  apiDocs: () => '/api/docs',
} as const
