import type { ComponentType } from 'react'
import { matchRoutes, type RouteObject } from 'react-router'
import * as v from 'valibot'
import { useNextPage } from './page-path.ts'

interface PageRouteParts {
  readonly path: string
  /** The parts of the page, each with a path below the page's. The page itself draws them. */
  readonly parts?: readonly string[] | undefined
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
export function pageRoute({ path, parts = [], fetchPage, Failure }: PageRouteParts): RouteObject {
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
  // The router warns of a part without an element.
  const children = parts.map((part) => ({ path: part, element: null }))
  return { path, element: <PageOfRoute />, handle: load, children }
}

/**
 * Loads the code of the page at a path.
 * @returns undefined if it is there already
 */
export function loadPageAt(routes: RouteObject[], pathname: string): Promise<void> | undefined {
  return pageAt(routes, pathname)?.load()
}

/** The path of the page that a path leads to, which is shorter than that of a part of the page. */
export function pagePathAt(routes: RouteObject[], pathname: string): string {
  return pageAt(routes, pathname)?.path ?? pathname
}

function pageAt(routes: RouteObject[], pathname: string) {
  for (const { route, pathnameBase } of matchRoutes(routes, pathname) ?? []) {
    const load: unknown = route.handle
    if (v.is(LoadCode, load)) return { load, path: pathnameBase }
  }
  return undefined
}
