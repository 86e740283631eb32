import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { ToastProvider } from './ui/toast-provider.tsx'

interface AppProps {
  queryClient: QueryClient
  /** The router: one for the browser, another one while pages are prerendered. */
  children: ReactNode
}

/** What stands around the router, the same in the browser and while pages are prerendered. */
export function App({ queryClient, children }: AppProps) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ToastProvider>{children}</ToastProvider>
      </QueryClientProvider>
    </StrictMode>
  )
}
