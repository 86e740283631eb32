import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, StrictMode } from 'react'
import { ToastProvider } from './ui/toast-provider.tsx'

interface AppProps {
  queryClient: QueryClient
  /** The router, which differs between the browser and prerendering. */
  children: ReactNode
}

/** The providers around the router, the same in the browser and for prerendering. */
export function App({ queryClient, children }: AppProps) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ToastProvider>{children}</ToastProvider>
      </QueryClientProvider>
    </StrictMode>
  )
}
