import { operatorPage } from '@astropelago/contract/pages'
import { Suspense, lazy } from 'react'
import { NotFoundPage } from './features/shell/error-pages.tsx'
import { SlugPage } from './features/slug/slug-page.tsx'
import { usePagePart } from './lib/router/page-parts.ts'
import { useSession } from './lib/session.ts'
import { UserContext } from './lib/use-user.ts'

const OperatorPage = lazy(async () => ({
  default: (await import('./features/operator/operator-page.tsx')).OperatorPage,
}))

/**
 * The operators' screen. For everybody else its address is an ordinary unknown slug. It is not in
 * routes.tsx, because it would add to every page's first load.
 */
export function MothershipOrSlug() {
  const session = useSession()
  const page = usePagePart([{ id: operatorPage.slice(1) }])
  // Show nothing until the user is known.
  if (session.state === 'checking') return null
  if (session.state === 'signed-in' && session.user.isOperator) {
    return (
      <UserContext value={session.user}>
        <Suspense fallback={null}>
          <OperatorPage />
        </Suspense>
      </UserContext>
    )
  }
  return page === undefined ? <NotFoundPage /> : <SlugPage />
}
