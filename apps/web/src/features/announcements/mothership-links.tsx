import type { Announcement } from '@astropelago/contract/announcements'
import { Link } from 'react-router'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'

const linkLook =
  'inline-flex min-h-6 items-center text-sm text-accent underline decoration-transparent underline-offset-4 transition-colors hover:decoration-current'

/** The links of the Mothership's card: to the announcements and, for operators, to their screen. */
export function MothershipLinks({ announcements }: { announcements: readonly Announcement[] }) {
  const { isOperator } = useUser()
  const { length } = announcements
  return (
    <>
      {length > 0 && (
        <Link to={paths.discoverCategory('mothership')} className={linkLook}>
          {length === 1 ? '1 announcement' : `${length} announcements`}
        </Link>
      )}
      {isOperator && (
        <Link to={paths.mothership()} className={linkLook}>
          Run the network
        </Link>
      )}
    </>
  )
}
