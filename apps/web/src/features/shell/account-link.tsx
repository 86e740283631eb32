import { Link } from 'react-router'
import { openSignIn } from '../../lib/open-sign-in.ts'
import { useSession } from '../../lib/session.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** The signed-in user, linked to Account. Visitors get the sign-in link. */
export function AccountLink() {
  const session = useSession()
  if (session.state === 'checking') return <Skeleton className="h-7 w-20 rounded-full" />
  if (session.state === 'signed-out') {
    return <Button onClick={() => openSignIn()}>Sign in</Button>
  }
  const { username, avatar, hue } = session.user
  return (
    <Link
      to={paths.account()}
      aria-label={`Account ${username}`}
      className="flex h-10 min-w-0 items-center gap-2 rounded-control px-2 text-sm text-ink no-underline transition-colors hover:bg-hover"
    >
      <Avatar username={username} image={avatar} hue={hue} />
      <span className="max-w-24 truncate sm:max-w-48">{username}</span>
    </Link>
  )
}
