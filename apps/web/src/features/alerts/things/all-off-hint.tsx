import { Link } from 'react-router'
import { paths } from '../../../paths.ts'
import { buttonStyles } from '../../../ui/button-styles.ts'

/** For users who have turned all alerts off, which overrides what they choose for one subject. */
export function AllOffHint() {
  return (
    <p className="rounded-control bg-raised px-4 py-3 text-sm">
      You get no alerts, because you turned all of them off.{' '}
      <Link to={paths.accountPart('alerts')} className={buttonStyles({ variant: 'link' })}>
        Turn them on in your account
      </Link>
    </p>
  )
}
