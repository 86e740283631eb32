import * as v from 'valibot'

/**
 * What a site says that it is: a prototype has the Under Construction banner and warns of data resets, a live one is
 * meant to stay.
 */
export const stages = ['prototype', 'live'] as const
export type Stage = (typeof stages)[number]

/** What the public pages of a site depend on: the build renders them once for each kind. */
export interface SiteKind {
  readonly stage: Stage
  /** Whether islands can be hosted from home, through its relay. */
  readonly hasRelay: boolean
}

/** The name of an installation without `INSTALLATION_NAME`. */
export const defaultSiteName = 'Astropelago'
export const siteNameMaxLength = 40

/** The address of the logo without `INSTALLATION_LOGO`. */
export const defaultSiteLogo = '/logo.svg'

/** Stand for name and logo in the pages of the build. The server replaces them. */
export const siteNamePlaceholder = 'ASTROPELAGO_NAME'
export const siteLogoPlaceholder = 'ASTROPELAGO_LOGO'

/** Pages of whoever runs a site, which its footer leads to; `name` is what it says. */
export const SiteLinks = v.array(v.object({ name: v.string(), href: v.string() }))
export type SiteLinks = v.InferOutput<typeof SiteLinks>

export const siteKinds: readonly SiteKind[] = stages.flatMap((stage) => [
  { stage, hasRelay: false },
  { stage, hasRelay: true },
])

/** As the folder of a kind's pages is named, and as the server writes it into each page. */
export function siteKindName({ stage, hasRelay }: SiteKind): string {
  return hasRelay ? `${stage}-relay` : stage
}
