import { Suspense, lazy } from 'react'
import { useParams } from 'react-router'
import { SlugPage } from './features/slug/slug-page.tsx'
import { useSession } from './lib/session.ts'
import { UserContext } from './lib/use-user.ts'
import { paths } from './paths.ts'

const OperatorPage = lazy(async () => ({
  default: (await import('./features/operator/operator-page.tsx')).OperatorPage,
}))

/**
 * The page of a slug, or for operators their screen. For everybody else its address is an ordinary unknown
 * slug. It is not in routes.tsx, because it would add to every page's first load.
 */
export function SlugOrMothership() {
  const { slug = '' } = useParams()
  const session = useSession()
  if (`/${slug.toLowerCase()}` !== paths.mothership()) return <SlugPage />
  // Show nothing until the user is known.
  if (session.state === 'checking') return null
  if (session.state !== 'signed-in' || !session.user.isOperator) return <SlugPage />
  return (
    <UserContext value={session.user}>
      <Suspense fallback={null}>
        <OperatorPage />
      </Suspense>
    </UserContext>
  )
}
