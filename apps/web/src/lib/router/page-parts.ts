import { operatorPage, pageParts, pages } from '@astropelago/contract/pages'
import { useLocation } from 'react-router'

/** The part of a page that the address names. Undefined at the page's own address. */
export function usePagePart<Part extends { readonly id: string }>(
  parts: readonly Part[],
): Part | undefined {
  const segments = useLocation().pathname.toLowerCase().split('/')
  const last = segments.findLast((segment) => segment !== '')
  return parts.find(({ id }) => id === last)
}

/** The pages whose parts were a query parameter once. */
const formerPages: readonly FormerPage[] = [
  { page: pages.account, name: 'part', parts: pageParts.account },
  { page: operatorPage, name: 'part', parts: pageParts.operator },
  { page: '/islands/[^/]+/settings', name: 'part', parts: pageParts.islandSettings },
  { page: pages.discover, name: 'category', parts: pageParts.discover },
]

interface FormerPage {
  /** A regular expression. */
  readonly page: string
  readonly name: string
  readonly parts: readonly string[]
}

/**
 * The address that replaces one from before parts had paths, such as in messages sent then. Undefined if
 * the address is up to date.
 */
export function presentAddress({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): string | undefined {
  const parameters = new URLSearchParams(search)
  for (const { page, name, parts } of formerPages) {
    const [, path] = new RegExp(`^(${page})/*$`, 'i').exec(pathname) ?? []
    const part = parameters.get(name)
    if (path === undefined || part === null || !parts.includes(part)) continue
    parameters.delete(name)
    const query = parameters.toString()
    return `${path}/${part}${query && `?${query}`}${hash}`
  }
  return undefined
}
