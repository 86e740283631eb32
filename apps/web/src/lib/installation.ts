import {
  defaultSiteLogo,
  defaultSiteName,
  siteLogoPlaceholder,
  siteNamePlaceholder,
} from '@astropelago/contract/site'

/** The server writes it into each page in place of a placeholder. */
export function installationName(): string {
  return written('name', siteNamePlaceholder) ?? defaultSiteName
}

export function installationLogo(): string {
  return written('logo', siteLogoPlaceholder) ?? defaultSiteLogo
}

/** Undefined in component tests, whose page the server does not write. */
function written(attribute: 'name' | 'logo', placeholder: string): string | undefined {
  // There is no document while the build prerenders pages.
  return typeof document === 'undefined' ? placeholder : document.documentElement.dataset[attribute]
}
