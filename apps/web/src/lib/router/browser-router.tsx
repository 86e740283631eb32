import { type ReactNode, useLayoutEffect, useState } from 'react'
import { type RouteObject, Router, useRoutes } from 'react-router'
import { NextPage, PagePath } from './page-path.ts'
import { PageNavigator } from './page-navigator.ts'
import { pagePathAt } from './page-route.tsx'
import { ScrollPositions } from './scroll-positions.ts'

/**
 * Draws the page of the address. While the next page's code loads, the last one stays. React Router's own
 * data router does that and more, for 19 kB (gzip) that every first visit would load.
 */
export function BrowserRouter({ routes }: { readonly routes: RouteObject[] }): ReactNode {
  const [navigator] = useState(() => new PageNavigator(routes))
  const [positions] = useState(() => new ScrollPositions())
  const [visit, setVisit] = useState(navigator.visit)
  const [nextPage, setNextPage] = useState<string>()

  useLayoutEffect(() => positions.keep(() => navigator.visit.location), [navigator, positions])
  useLayoutEffect(() => {
    positions.enter(visit.location, visit.keepsScroll)
  }, [positions, visit])
  useLayoutEffect(() => {
    let shown = navigator.visit.location
    // Only once for each page, because its skeleton scrolls to the top while the next one loads.
    let isLeft = false
    const leave = () => {
      if (!isLeft) positions.leave(shown)
      isLeft = true
    }
    return navigator.start({
      onNext: (next) => {
        if (next !== undefined) leave()
        setNextPage(next)
      },
      onVisit: (next) => {
        leave()
        shown = next.location
        isLeft = false
        setVisit(next)
      },
    })
  }, [navigator, positions])

  return (
    <PagePath value={pagePathAt(routes, visit.location.pathname)}>
      <NextPage value={nextPage && pagePathAt(routes, nextPage)}>
        <Router location={visit.location} navigationType={visit.action} navigator={navigator}>
          <Pages routes={routes} />
        </Router>
      </NextPage>
    </PagePath>
  )
}

/** The pages of the routes, inside a router. */
export function Pages({ routes }: { readonly routes: RouteObject[] }): ReactNode {
  return useRoutes(routes)
}
