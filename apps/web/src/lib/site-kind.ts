import { siteKindName, siteKinds, type SiteKind } from '@astropelago/contract/site'

let renderedKind: SiteKind | undefined

/** Says what pages are rendered for where there is no document: while the app is built. */
export function renderForSite(kind: SiteKind): void {
  renderedKind = kind
}

function siteKind(): SiteKind | undefined {
  if (renderedKind !== undefined) return renderedKind
  // The server writes it into each page.
  const name = document.documentElement.dataset['site']
  return siteKinds.find((kind) => siteKindName(kind) === name)
}

/** Whether the site means it: it has neither the Under Construction banner nor its warning of data resets. */
export function isLive(): boolean {
  return siteKind()?.stage === 'live'
}

/** Whether members host islands from home, through the site's relay. */
export function hasRelay(): boolean {
  return siteKind()?.hasRelay ?? false
}
