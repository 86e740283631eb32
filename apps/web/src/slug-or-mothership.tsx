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
 * Where a slug leads, and for operators their screen: to everybody else its address is one of the unknown
 * slugs. Beside routes.tsx, and not in it, since it would weigh on every page's first load.
 */
export function SlugOrMothership() {
  const { slug = '' } = useParams()
  const session = useSession()
  if (`/${slug.toLowerCase()}` !== paths.mothership()) return <SlugPage />
  // Who it is has to be known before anything is said.
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
