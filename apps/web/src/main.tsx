import { installSpark } from '@astropelago/spark/install-spark'
import { setNonce } from 'get-nonce'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { App } from './app.tsx'
import { createQueryClient } from './lib/query-client.ts'
import { hasSignedInHint, showUser } from './lib/session.ts'
import { createRoutes, fetchPageAt } from './routes.tsx'
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
if (isPrerendered) await fetchPageAt(routes, window.location.pathname)
const app = (
  <App queryClient={queryClient}>
    <RouterProvider router={createBrowserRouter(routes)} />
  </App>
)
if (isPrerendered) hydrateRoot(root, app)
else createRoot(root).render(app)
