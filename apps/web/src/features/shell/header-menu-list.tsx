import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useRef } from 'react'
import { NavLink } from 'react-router'
import Activity from 'virtual:icon/activity'
import Compass from 'virtual:icon/compass'
import Gauge from 'virtual:icon/gauge'
import House from 'virtual:icon/house'
import LogIn from 'virtual:icon/log-in'
import LogOut from 'virtual:icon/log-out'
import MenuIcon from 'virtual:icon/menu'
import Plug from 'virtual:icon/plug'
import Search from 'virtual:icon/search'
import Telescope from 'virtual:icon/telescope'
import UserRound from 'virtual:icon/user-round'
import {
  guardedDestinations,
  type Destination,
  publicDestinations,
} from '../../lib/destinations.ts'
import { openSignIn } from '../../lib/open-sign-in.ts'
import type { Session } from '../../lib/session.ts'
import { useLogOut } from '../../lib/use-log-out.ts'
import { Button } from '../../ui/button.tsx'
import type { IconComponent } from '../../ui/create-icon.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/menu.tsx'
import { useToast } from '../../ui/use-toast.ts'

const icons: Readonly<Record<Destination['id'], IconComponent>> = {
  landing: House,
  explore: Compass,
  dashboard: Gauge,
  checks: Activity,
  connect: Plug,
  discover: Search,
  observatory: Telescope,
  account: UserRound,
}

/** Open at once, because the click on its button renders it. */
export function HeaderMenuList({ session }: { session: Session }) {
  const showToast = useToast()
  const logOut = useLogOut(() => window.location.reload())

  // A dialog returns the focus to the element that had it. That has to be the button, because the menu
  // item is gone.
  const signInWanted = useRef<{ readonly path?: string }>(undefined)
  const want = (wanted: { readonly path?: string }) => {
    signInWanted.current = wanted
  }
  const openWantedSignIn = () => {
    if (signInWanted.current !== undefined) openSignIn(signInWanted.current.path)
    signInWanted.current = undefined
  }

  const startLogOut = () => {
    logOut.mutate(undefined, {
      onError: () =>
        showToast({
          title: t`You are still signed in`,
          description: t`Logging out failed. Try again.`,
          tone: 'failure',
        }),
    })
  }

  return (
    <Menu
      defaultOpen
      inPlace
      onClosed={openWantedSignIn}
      trigger={
        <Button variant="outline" busy={logOut.isPending}>
          {!logOut.isPending && <MenuIcon aria-hidden />}
          <Trans>Menu</Trans>
        </Button>
      }
    >
      {session.state === 'signed-in' && (
        <>
          <MenuLabel>
            <Trans>
              Signed in as <span className="font-medium text-ink">{session.user.username}</span>
            </Trans>
          </MenuLabel>
          <MenuSeparator />
        </>
      )}
      {publicDestinations.map((destination) => (
        <DestinationItem key={destination.path} destination={destination} />
      ))}
      {guardedDestinations.map((destination) => (
        <DestinationItem
          key={destination.path}
          destination={destination}
          onLocked={session.state === 'signed-out' ? () => want(destination) : undefined}
        />
      ))}
      {session.state !== 'checking' && <MenuSeparator />}
      {session.state === 'signed-in' && (
        <MenuItem onSelect={startLogOut}>
          <LogOut aria-hidden />
          <Trans>Log out</Trans>
        </MenuItem>
      )}
      {session.state === 'signed-out' && (
        <MenuItem onSelect={() => want({})}>
          <LogIn aria-hidden />
          <Trans>Sign in</Trans>
        </MenuItem>
      )}
    </Menu>
  )
}

function DestinationItem(props: { destination: Destination; onLocked?: (() => void) | undefined }) {
  const { destination, onLocked } = props
  const { id, name, path } = destination
  const Icon = icons[id]
  return onLocked === undefined ? (
    <MenuItem asChild>
      <NavLink to={path} end>
        <Icon aria-hidden />
        {name}
      </NavLink>
    </MenuItem>
  ) : (
    <MenuItem onSelect={onLocked}>
      <Icon aria-hidden />
      <span>
        {name}{' '}
        <span className="text-muted">
          <Trans>(sign in)</Trans>
        </span>
      </span>
    </MenuItem>
  )
}
