import { NavLink } from 'react-router'
import { openSignIn } from '../../lib/open-sign-in.ts'
import { useSession } from '../../lib/session.ts'
import { guardedPlaces, type Place, publicPlaces } from './places.ts'

const placeStyles =
  'flex h-10 items-center gap-1.5 rounded-control px-2.5 text-sm whitespace-nowrap text-muted no-underline transition-colors hover:bg-hover hover:text-ink aria-[current=page]:text-ink'

/** The menu's places beside it, where all of them fit. */
export function HeaderPlaces() {
  const { state } = useSession()
  // Signed in, the link with the username stands there already.
  const own = guardedPlaces.filter(({ name }) => state === 'signed-out' || name !== 'Account')
  return (
    <nav aria-label="Places" className="hidden min-[72rem]:block">
      <ul className="flex items-center">
        {publicPlaces.map((place) => (
          <PlaceLink key={place.path} place={place} />
        ))}
        {own.map((place) =>
          state === 'signed-out' ? (
            <LockedPlace key={place.path} place={place} />
          ) : (
            <PlaceLink key={place.path} place={place} />
          ),
        )}
      </ul>
    </nav>
  )
}

function PlaceLink({ place: { name, path } }: { place: Place }) {
  return (
    <li>
      <NavLink to={path} end className={placeStyles}>
        {name}
      </NavLink>
    </li>
  )
}

function LockedPlace({ place: { name } }: { place: Place }) {
  return (
    <li>
      <button type="button" className={placeStyles} onClick={openSignIn}>
        {name} <span className="text-xs">(sign in)</span>
      </button>
    </li>
  )
}
