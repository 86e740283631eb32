import { createContext, use } from 'react'

/** The path of the page whose code is loading; undefined if the page of the address is shown. */
export const NextPage = createContext<string | undefined>(undefined)

export function useNextPage(): string | undefined {
  return use(NextPage)
}
