import type { ComponentType } from 'react'
import { matchRoutes, type RouteObject } from 'react-router'
import * as v from 'valibot'
import { useNextPage } from './next-page.ts'

interface PageRouteParts {
  readonly path: string
  readonly fetchPage: () => Promise<ComponentType>
  /** Shown if the page's code can't be loaded. */
  readonly Failure: ComponentType<{ readonly error: unknown }>
}

type Code =
  | { readonly kind: 'missing' }
  | { readonly kind: 'loading'; readonly done: Promise<void> }
  | { readonly kind: 'loaded'; readonly Page: ComponentType }
  | { readonly kind: 'failed'; readonly error: unknown }

/** A route's handle: loads its page's code. Undefined once the code is there. */
type LoadCode = () => Promise<void> | undefined
const LoadCode = v.custom<LoadCode>((handle) => typeof handle === 'function')

/** The route of a page whose code loads on the first visit. */
export function pageRoute({ path, fetchPage, Failure }: PageRouteParts): RouteObject {
  let code: Code = { kind: 'missing' }
  const load: LoadCode = () => {
    if (code.kind === 'loaded') return undefined
    if (code.kind === 'loading') return code.done
    const fetchCode = async () => {
      try {
        code = { kind: 'loaded', Page: await fetchPage() }
      } catch (error) {
        // The next visit tries again.
        code = { kind: 'failed', error }
      }
    }
    const done = fetchCode()
    code = { kind: 'loading', done }
    return done
  }
  const PageOfRoute = () => {
    // It renders again when the router has loaded the code.
    useNextPage()
    if (code.kind === 'failed') return <Failure error={code.error} />
    return code.kind === 'loaded' ? <code.Page /> : null
  }
  return { path, element: <PageOfRoute />, handle: load }
}

/**
 * Loads the code of the page at a path.
 * @returns undefined if it is there already
 */
export function loadPageAt(routes: RouteObject[], pathname: string): Promise<void> | undefined {
  const handles = (matchRoutes(routes, pathname) ?? []).map(({ route }): unknown => route.handle)
  return handles.find((handle) => v.is(LoadCode, handle))?.()
}
