import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../lib/session.ts'
import { PageOutlet } from './page-outlet.tsx'

/** Pages for everyone: they are there at once, and find out in passing who is signed in. */
export function PublicPages() {
  useQuery(sessionQuery)
  return <PageOutlet />
}
