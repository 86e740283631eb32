import type { SiteKind } from '@astropelago/contract/site'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router'
import { App } from './app.tsx'
import { createQueryClient } from './lib/query-client.ts'
import { showUser } from './lib/session.ts'
import { renderForSite } from './lib/site-kind.ts'
import { createRoutes } from './routes.tsx'

/** Renders a page as HTML for signed-out visitors. Runs during the build. */
export async function renderPage(path: string, kind: SiteKind): Promise<string> {
  renderForSite(kind)
  const handler = createStaticHandler(createRoutes())
  const context = await handler.query(new Request(new URL(path, 'http://prerender')))
  if (context instanceof Response) throw new Error(`${path} redirects, so it can't be prerendered`)
  const queryClient = createQueryClient()
  showUser(queryClient, null)
  return renderToString(
    <App queryClient={queryClient}>
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, context)}
        context={context}
        // Without loaders there is no data to include as a script.
        hydrate={false}
      />
    </App>,
  )
}
