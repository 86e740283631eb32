import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import MenuIcon from 'virtual:icon/menu'
import { guardedDestinations, publicDestinations } from '../../lib/destinations.ts'
import { installationLogo, installationName } from '../../lib/installation.ts'
import { openSignIn } from '../../lib/open-sign-in.ts'
import { useSession } from '../../lib/session.ts'
import { useWhenIdle } from '../../lib/use-when-idle.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { useOnDemand } from '../../ui/use-on-demand.ts'
import { useToast } from '../../ui/use-toast.ts'

export function Header() {
  // Decided by the address, because the page itself loads later and the header would visibly grow.
  const isFullWidth = useLocation().pathname === paths.observatory()
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-ground/80 backdrop-blur-md">
      <div
        className={classNames(
          'mx-auto flex h-16 w-full items-center justify-between gap-3 px-4 sm:px-6',
          !isFullWidth && 'max-w-6xl',
        )}
      >
        <Link
          to={paths.landing()}
          className="flex min-w-0 items-center gap-2.5 rounded-control font-display text-lg font-semibold tracking-tight text-ink no-underline"
        >
          <Logo />
          {/* Hidden on a phone, where the buttons need the space. */}
          <span className="truncate max-[26rem]:sr-only">{installationName()}</span>
        </Link>
        <div className="flex min-w-0 items-center gap-2">
          <HeaderDestinations />
          <AccountLink />
          <HeaderMenu />
        </div>
      </div>
    </header>
  )
}

function AccountLink() {
  const session = useSession()
  if (session.state === 'checking') return <Skeleton className="h-7 w-20 rounded-full" />
  if (session.state === 'signed-out') {
    return (
      <Button onClick={() => openSignIn()}>
        <Trans>Sign in</Trans>
      </Button>
    )
  }
  const { username, avatar, hue } = session.user
  return (
    <Link
      to={paths.account()}
      aria-label={t`Account ${username}`}
      className="flex h-10 min-w-0 items-center gap-2 rounded-control px-2 text-sm text-ink no-underline transition-colors hover:bg-hover"
    >
      <Avatar username={username} image={avatar} hue={hue} />
      <span className="max-w-24 truncate sm:max-w-48">{username}</span>
    </Link>
  )
}

/** Locked destinations are left out. */
function HeaderDestinations() {
  const { state } = useSession()
  // The link with the username already leads to Account.
  const own = guardedDestinations.filter(({ id }) => id !== 'account')
  const shown = [...publicDestinations, ...(state === 'signed-out' ? [] : own)]
  return (
    <nav aria-label={t`Pages`} className="hidden min-[72rem]:block">
      <ul className="flex items-center">
        {shown.map(({ name, path }) => (
          <li key={path}>
            <NavLink
              to={path}
              end
              className="flex h-10 items-center gap-1.5 rounded-control px-2.5 text-sm whitespace-nowrap text-muted no-underline transition-colors hover:bg-hover hover:text-ink aria-[current=page]:text-ink"
            >
              {name}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const fetchMenuList = async () => (await import('./header-menu-list.tsx')).HeaderMenuList

function HeaderMenu() {
  const session = useSession()
  const showToast = useToast()
  const [list, loadList] = useOnDemand(fetchMenuList)
  const [wasOpened, setWasOpened] = useState(false)
  useWhenIdle(loadList)

  // Not before the click, because replacing the button between press and release would lose the click.
  if (list.step === 'ready' && wasOpened) return <list.Component session={session} />

  const open = async () => {
    setWasOpened(true)
    if (await loadList()) return
    setWasOpened(false)
    showToast({
      title: t`The menu could not be loaded`,
      description: t`Check the connection and try again.`,
      tone: 'failure',
    })
  }
  return (
    <Button
      variant="outline"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-busy={wasOpened || undefined}
      onPointerEnter={() => void loadList()}
      onFocus={() => void loadList()}
      onClick={() => void open()}
    >
      {wasOpened ? <Spinner /> : <MenuIcon aria-hidden />}
      <Trans>Menu</Trans>
    </Button>
  )
}

export function Logo() {
  return <img src={installationLogo()} alt="" className="size-7 shrink-0 object-contain" />
}
