import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../lib/session.ts'
import { PageOutlet } from './page-outlet.tsx'

/** Pages for everyone. They render at once, and the session loads in the background. */
export function PublicPages() {
  useQuery(sessionQuery)
  return <PageOutlet />
}
