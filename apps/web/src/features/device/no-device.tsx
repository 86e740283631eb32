import { Link } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { SignInLink } from '../../lib/sign-in-link.tsx'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { buttonStyles } from '../../ui/button-styles.ts'

interface NoDeviceProps {
  readonly isBusy: boolean
  readonly onLookAgain: () => void
}

/** Shows the same for a device that does not exist and for somebody else's private one. */
export function NoDevice({ isBusy, onLookAgain }: NoDeviceProps) {
  usePageTitle('Nothing here')
  const isSignedOut = useSession().state === 'signed-out'
  return (
    <div className="flex max-w-xl flex-col items-start gap-6 py-6 md:py-16">
      <h1 className="text-heading font-semibold">Nothing here that you can see</h1>
      <p className="text-muted">
        There is no device at this address, or it is private.
        {isSignedOut && ' If it is yours, sign in.'}
      </p>
      <div className="flex flex-wrap gap-3">
        {isSignedOut ? (
          <SignInLink className={buttonStyles()}>Sign in</SignInLink>
        ) : (
          <Link to={paths.account()} className={buttonStyles()}>
            Your devices
          </Link>
        )}
        <Button variant="ghost" busy={isBusy} onClick={onLookAgain}>
          Look again
        </Button>
      </div>
    </div>
  )
}
