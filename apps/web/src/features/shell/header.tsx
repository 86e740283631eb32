import { Link, useLocation } from 'react-router'
import { installationName } from '../../lib/installation.ts'
import { paths } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { AccountLink } from './account-link.tsx'
import { HeaderMenu } from './header-menu.tsx'
import { HeaderDestinations } from './header-destinations.tsx'
import { Logo } from './logo.tsx'

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
