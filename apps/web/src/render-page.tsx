import type { SiteKind } from '@astropelago/contract/site'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { App } from './app.tsx'
import { createQueryClient } from './lib/query-client.ts'
import { Pages } from './lib/router/browser-router.tsx'
import { loadPageAt } from './lib/router/page-route.tsx'
import { showUser } from './lib/session.ts'
import { renderForSite } from './lib/site-kind.ts'
import { createRoutes } from './routes.tsx'

export { pageTexts } from './page-texts.ts'

/** Renders a page as HTML for signed-out visitors. Runs during the build. */
export async function renderPage(path: string, kind: SiteKind): Promise<string> {
  renderForSite(kind)
  const routes = createRoutes()
  await loadPageAt(routes, path)
  const queryClient = createQueryClient()
  showUser(queryClient, null)
  return renderToString(
    <App queryClient={queryClient}>
      <StaticRouter location={path}>
        <Pages routes={routes} />
      </StaticRouter>
    </App>,
  )
}
