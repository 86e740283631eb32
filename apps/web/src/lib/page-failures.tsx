import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { buttonStyles } from '../ui/button-styles.ts'
import { Button } from '../ui/button.tsx'
import { useSession } from './session.ts'
import { SignInLink } from './sign-in-link.tsx'
import { usePageTitle } from './use-page-title.ts'

interface PageFailureProps {
  text: string
  isBusy: boolean
  onLookAgain: () => void
}

/** A page whose subject did not come. */
export function NotLoaded(props: PageFailureProps & { title: string }) {
  const { title, text, isBusy, onLookAgain } = props
  usePageTitle(t`Not loaded`)
  return (
    <div className="flex max-w-xl flex-col items-start gap-6 py-6 md:py-16">
      <h1 className="text-heading font-semibold">{title}</h1>
      <p className="text-muted">{text}</p>
      <Button busy={isBusy} onClick={onLookAgain}>
        <Trans>Try again</Trans>
      </Button>
    </div>
  )
}

/** Shows the same for something that does not exist and for somebody else's private thing. */
export function NothingHere(props: PageFailureProps & { own: ReactNode }) {
  const { text, own, isBusy, onLookAgain } = props
  usePageTitle(t`Nothing here`)
  const isSignedOut = useSession().state === 'signed-out'
  return (
    <div className="flex max-w-xl flex-col items-start gap-6 py-6 md:py-16">
      <h1 className="text-heading font-semibold">
        <Trans>Nothing here that you can see</Trans>
      </h1>
      <p className="text-muted">
        {text}
        {isSignedOut && (
          <>
            {' '}
            <Trans>If it is yours, sign in.</Trans>
          </>
        )}
      </p>
      <div className="flex flex-wrap gap-3">
        {isSignedOut ? (
          <SignInLink className={buttonStyles()}>
            <Trans>Sign in</Trans>
          </SignInLink>
        ) : (
          own
        )}
        <Button variant="ghost" busy={isBusy} onClick={onLookAgain}>
          <Trans>Look again</Trans>
        </Button>
      </div>
    </div>
  )
}
