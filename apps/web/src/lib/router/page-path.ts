import { createContext, use } from 'react'
import { useLocation } from 'react-router'

/** The path of the page on the screen; undefined without a router of ours. */
export const PagePath = createContext<string | undefined>(undefined)

/** The path of the page whose code is loading; undefined if the page of the address is shown. */
export const NextPage = createContext<string | undefined>(undefined)

/** The path of the page on the screen. It stays the same from one part of a page to another. */
export function usePagePath(): string {
  const { pathname } = useLocation()
  return use(PagePath) ?? pathname
}

export function useNextPage(): string | undefined {
  return use(NextPage)
}
