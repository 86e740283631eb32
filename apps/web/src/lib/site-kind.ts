import { siteKindName, siteKinds, type SiteKind } from '@astropelago/contract/site'

let renderedKind: SiteKind | undefined

/** For prerendering, which has no document to read the kind from. */
export function renderForSite(kind: SiteKind): void {
  renderedKind = kind
}

function siteKind(): SiteKind | undefined {
  if (renderedKind !== undefined) return renderedKind
  // The server writes it into each page.
  const name = document.documentElement.dataset['site']
  return siteKinds.find((kind) => siteKindName(kind) === name)
}

/** Without the Under Construction banner and the warning of data resets. */
export function isLive(): boolean {
  return siteKind()?.stage === 'live'
}

export function hasRelay(): boolean {
  return siteKind()?.hasRelay ?? false
}
