import {
  defaultSiteLogo,
  defaultSiteName,
  siteLogoPlaceholder,
  siteNamePlaceholder,
} from '@astropelago/contract/site'

/** The name of the installation. The server writes it into each page, in place of a placeholder. */
export function installationName(): string {
  return written('name', siteNamePlaceholder) ?? defaultSiteName
}

/** The address of the installation's logo, which the server writes into each page too. */
export function installationLogo(): string {
  return written('logo', siteLogoPlaceholder) ?? defaultSiteLogo
}

/** Undefined in component tests, which have a page of their own. */
function written(attribute: 'name' | 'logo', placeholder: string): string | undefined {
  // There is no document while the build renders pages.
  return typeof document === 'undefined' ? placeholder : document.documentElement.dataset[attribute]
}
