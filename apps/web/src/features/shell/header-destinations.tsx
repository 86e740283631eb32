import { NavLink } from 'react-router'
import { openSignIn } from '../../lib/open-sign-in.ts'
import { useSession } from '../../lib/session.ts'
import { guardedDestinations, type Destination, publicDestinations } from './destinations.ts'

const linkStyles =
  'flex h-10 items-center gap-1.5 rounded-control px-2.5 text-sm whitespace-nowrap text-muted no-underline transition-colors hover:bg-hover hover:text-ink aria-[current=page]:text-ink'

/** The menu's destinations beside it, where all of them fit. */
export function HeaderDestinations() {
  const { state } = useSession()
  // Signed in, the link with the username stands there already.
  const own = guardedDestinations.filter(({ name }) => state === 'signed-out' || name !== 'Account')
  return (
    <nav aria-label="Pages" className="hidden min-[72rem]:block">
      <ul className="flex items-center">
        {publicDestinations.map((destination) => (
          <DestinationLink key={destination.path} destination={destination} />
        ))}
        {own.map((destination) =>
          state === 'signed-out' ? (
            <LockedDestination key={destination.path} destination={destination} />
          ) : (
            <DestinationLink key={destination.path} destination={destination} />
          ),
        )}
      </ul>
    </nav>
  )
}

function DestinationLink({ destination: { name, path } }: { destination: Destination }) {
  return (
    <li>
      <NavLink to={path} end className={linkStyles}>
        {name}
      </NavLink>
    </li>
  )
}

function LockedDestination({ destination: { name } }: { destination: Destination }) {
  return (
    <li>
      <button type="button" className={linkStyles} onClick={openSignIn}>
        {name} <span className="text-xs">(sign in)</span>
      </button>
    </li>
  )
}
