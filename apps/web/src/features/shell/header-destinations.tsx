import { NavLink } from 'react-router'
import { useSession } from '../../lib/session.ts'
import { guardedDestinations, publicDestinations } from '../../lib/destinations.ts'

/** The menu's destinations as links in the header, if all of them fit. Locked ones are left out. */
export function HeaderDestinations() {
  const { state } = useSession()
  // The link with the username already leads to Account.
  const own = guardedDestinations.filter(({ name }) => name !== 'Account')
  const shown = [...publicDestinations, ...(state === 'signed-out' ? [] : own)]
  return (
    <nav aria-label="Pages" className="hidden min-[72rem]:block">
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
