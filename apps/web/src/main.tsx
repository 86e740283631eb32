import { installSpark } from '@astropelago/spark/install-spark'
import { setNonce } from 'get-nonce'
import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { createQueryClient } from './lib/query-client.ts'
import { BrowserRouter } from './lib/router/browser-router.tsx'
import { loadPageAt } from './lib/router/page-route.tsx'
import { hasSignedInHint, showUser } from './lib/session.ts'
import { createRoutes } from './routes.tsx'
import './styles/main.css'

// Open menus and dialogs add a style element, which the content security policy allows only with this
// nonce. Read the property: browsers hide the attribute from scripts.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
if (nonce) setNonce(nonce)

installSpark()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')

const queryClient = createQueryClient()
// A visitor without the hint is signed out, so no request is needed.
if (!hasSignedInHint(document.cookie)) showUser(queryClient, null)

const routes = createRoutes()
const isPrerendered = root.hasChildNodes()
// The first render has to be the page that is there.
if (isPrerendered) await loadPageAt(routes, window.location.pathname)
const app = (
  <App queryClient={queryClient}>
    <BrowserRouter routes={routes} />
  </App>
)
// As a transition it pauses for the browser's other work, so that no long task blocks the page.
startTransition(() => {
  if (isPrerendered) hydrateRoot(root, app)
  else createRoot(root).render(app)
})
