import { getMe, hintCookie, type User } from '@astropelago/contract/me'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { call } from './call.ts'

const sessionKey = ['session']

/** The server sets and clears this cookie together with the session cookie, which scripts can't read. */
export function hasSignedInHint(cookies: string): boolean {
  return cookies.split(/;\s*/).includes(`${hintCookie}=1`)
}

/** A refusal and a failed request both count as signed out. */
async function askForUser(signal: AbortSignal): Promise<User | null> {
  try {
    const { user } = await call(getMe, { signal })
    return user
  } catch (error) {
    if (signal.aborted) throw error
    return null
  }
}

/** For public pages: asks the server only if the hint says that somebody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => (hasSignedInHint(document.cookie) ? askForUser(signal) : null),
  retry: false,
  staleTime: 60_000,
})

/** For guarded pages: always asks the server, once per path. */
export function sessionCheckQuery(client: QueryClient, pathname: string) {
  return queryOptions({
    queryKey: [...sessionKey, 'check', pathname],
    queryFn: async ({ signal }) => {
      // An earlier request's answer must not override this one.
      await client.cancelQueries({ queryKey: sessionKey, exact: true })
      const user = await askForUser(signal)
      showUser(client, user)
      return user !== null
    },
    retry: false,
    // Nothing is cached after the path changes, so returning asks again.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Changes the user on every part of the page. */
export function showUser(client: QueryClient, user: User | null): void {
  client.setQueryData(sessionQuery.queryKey, user)
}

export type Session =
  | { readonly state: 'checking' }
  | { readonly state: 'signed-out' }
  | { readonly state: 'signed-in'; readonly user: User }

/** Sends no request. */
export function useSession(): Session {
  const { data: user } = useQuery({ ...sessionQuery, enabled: false })
  if (user === undefined) return { state: 'checking' }
  return user === null ? { state: 'signed-out' } : { state: 'signed-in', user }
}
