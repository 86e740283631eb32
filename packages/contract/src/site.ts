import * as v from 'valibot'

/**
 * How far a site is. A prototype shows the Under Construction banner and warns of data resets; a live site
 * is meant to stay.
 */
export const stages = ['prototype', 'live'] as const
export type Stage = (typeof stages)[number]

/** What the public pages of a site depend on. The build renders them once for each kind. */
export interface SiteKind {
  readonly stage: Stage
  /** Whether islands can be hosted at home, through the site's relay. */
  readonly hasRelay: boolean
}

/** The name of an installation without `INSTALLATION_NAME`. */
export const defaultSiteName = 'Astropelago'
export const siteNameMaxLength = 40

/** The logo's address without `INSTALLATION_LOGO`. */
export const defaultSiteLogo = '/logo.svg'

/** Placeholders for name and logo in the pages of the build. The server replaces them. */
export const siteNamePlaceholder = 'ASTROPELAGO_NAME'
export const siteLogoPlaceholder = 'ASTROPELAGO_LOGO'

/** The operator's pages that the footer links to; `name` is the link's text. */
export const SiteLinks = v.array(v.object({ name: v.string(), href: v.string() }))
export type SiteLinks = v.InferOutput<typeof SiteLinks>

export const siteKinds: readonly SiteKind[] = stages.flatMap((stage) => [
  { stage, hasRelay: false },
  { stage, hasRelay: true },
])

/** The folder name of a kind's pages. The server also writes it into each page. */
export function siteKindName({ stage, hasRelay }: SiteKind): string {
  return hasRelay ? `${stage}-relay` : stage
}
