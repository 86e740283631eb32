import { siteKindName, siteKinds, type SiteKind } from '@astropelago/contract/site'

let renderedKind: SiteKind | undefined

/**
 * Sets the kind of site that the build prerenders pages for, since there is no document to read it from.
 */
export function renderForSite(kind: SiteKind): void {
  renderedKind = kind
}

function siteKind(): SiteKind | undefined {
  if (renderedKind !== undefined) return renderedKind
  // The server writes it into each page.
  const name = document.documentElement.dataset['site']
  return siteKinds.find((kind) => siteKindName(kind) === name)
}

/**
 * Whether the site is in production: it shows neither the Under Construction banner nor a warning of data
 * resets.
 */
export function isLive(): boolean {
  return siteKind()?.stage === 'live'
}

/** Whether members can host islands from home through the site's relay. */
export function hasRelay(): boolean {
  return siteKind()?.hasRelay ?? false
}
