import { QueryClientProvider } from '@tanstack/react-query'
import { setNonce } from 'get-nonce'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { createQueryClient } from './lib/query-client.ts'
import { createRouter } from './routes.tsx'
import './styles/main.css'
import { ToastProvider } from './ui/toast-provider.tsx'

// Open menus and dialogs put a style element on the page; the policy lets it in by this nonce.
// The property, not the attribute: browsers hide the attribute from scripts.
const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce
if (nonce) setNonce(nonce)

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id root')

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueryClient()}>
      <ToastProvider>
        <RouterProvider router={createRouter()} />
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
)
