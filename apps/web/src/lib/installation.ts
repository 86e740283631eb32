import { defaultSiteName, siteNamePlaceholder } from '@astropelago/contract/site'
import { useSyncExternalStore } from 'react'

/** The name of the installation. The server writes it into each page, in place of a placeholder. */
export function installationName(): string {
  if (typeof document === 'undefined') return siteNamePlaceholder
  const name = document.documentElement.dataset['name']
  return name === undefined || name === siteNamePlaceholder ? defaultSiteName : name
}

/** The address of the installation's logo; undefined if it has none, and while the build renders a page. */
export function useInstallationLogo(): string | undefined {
  return useSyncExternalStore(neverChanges, readLogo, () => undefined)
}

const neverChanges = () => () => undefined

function readLogo(): string | undefined {
  const path = document.documentElement.dataset['logo']
  return path?.startsWith('/') ? path : undefined
}
