import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { LinkButton } from '../../lib/link-button.tsx'
import { useSession } from '../../lib/session.ts'
import { SignInLink } from '../../lib/sign-in-link.tsx'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Button } from '../../ui/button.tsx'

/** The same for a missing island and for one that the viewer may not know about. */
export function NothingHere({ query }: { query?: Pick<UseQueryResult, 'isFetching' | 'refetch'> }) {
  usePageTitle(t`Nothing here`)
  const session = useSession()
  const isSignedOut = session.state === 'signed-out'
  return (
    <div className="flex max-w-xl flex-col items-start gap-6 py-6 md:py-16">
      <h1 className="text-heading font-semibold">
        <Trans>Nothing here that you can see</Trans>
      </h1>
      <p className="text-muted">
        <Trans>
          There is no island at this address, or only people that its host let in can see it.
        </Trans>{' '}
        {isSignedOut && t`If you are one of them, sign in.`}
      </p>
      <div className="flex flex-wrap gap-3">
        {isSignedOut && (
          <SignInLink className={buttonStyles()}>
            <Trans>Sign in</Trans>
          </SignInLink>
        )}
        <LinkButton
          to={isSignedOut ? paths.explore() : paths.discoverCategory('islands')}
          variant={isSignedOut ? 'outline' : 'default'}
        >
          {isSignedOut ? t`Explore` : t`Find islands`}
        </LinkButton>
        {query && (
          <Button variant="ghost" busy={query.isFetching} onClick={() => void query.refetch()}>
            <Trans>Look again</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}
