import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import LogOut from 'virtual:icon/log-out'
import { usePagePart } from '../../lib/router/page-parts.ts'
import { useLogOut } from '../../lib/use-log-out.ts'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { bringIntoRow } from '../../ui/bring-into-row.ts'
import { Button } from '../../ui/button.tsx'
import { FormError } from '../../ui/form-error.tsx'
import { accountFailure } from './account-failure.ts'
import { DataPart } from './data-part.tsx'
import { DevicesPart } from './devices-part.tsx'
import { KeysPart } from './keys-part.tsx'
import { LanguageCard } from './language-card.tsx'
import { ProfilePart } from './profile-part.tsx'
import { SecurityPart } from './security-part.tsx'

/** In the order in which users need them. Irreversible actions come last. */
const accountParts = [
  { id: 'devices', name: t`Devices`, path: paths.account() },
  { id: 'alerts', name: t`Alerts`, path: paths.accountPart('alerts') },
  { id: 'sharing', name: t`Sharing`, path: paths.accountPart('sharing') },
  { id: 'profile', name: t`Profile`, path: paths.accountPart('profile') },
  { id: 'security', name: t`Security`, path: paths.accountPart('security') },
  { id: 'keys', name: t`Keys`, path: paths.accountPart('keys') },
  { id: 'data', name: t`Data`, path: paths.accountPart('data') },
] as const

type AccountPart = (typeof accountParts)[number]

export function AccountPage({ alerts, sharing }: { alerts: ReactNode; sharing: ReactNode }) {
  const part = usePagePart(accountParts) ?? accountParts[0]
  const contents = {
    devices: <DevicesPart />,
    alerts,
    sharing,
    profile: (
      <>
        <ProfilePart />
        <LanguageCard />
      </>
    ),
    security: <SecurityPart />,
    keys: <KeysPart />,
    data: <DataPart />,
  } satisfies Record<AccountPart['id'], ReactNode>
  usePageTitle(part.id === 'devices' ? t`Account` : t`${part.name} · Account`)
  return (
    <>
      <AccountHeader />
      <AccountNavigation current={part} />
      {contents[part.id]}
    </>
  )
}

function AccountHeader() {
  const { username, name, avatar, hue } = useUser()
  const logOut = useLogOut(() => window.location.assign(paths.landing()))
  return (
    <header className="flex flex-col gap-4">
      <div className="flex items-center justify-between gap-x-4">
        <div className="flex min-w-0 items-center gap-4 sm:gap-5">
          <Avatar username={username} image={avatar} hue={hue} size="large" />
          <div className="flex min-w-0 flex-col gap-0.5">
            <h1 className="text-heading font-semibold">
              <Trans>Account</Trans>
            </h1>
            <p className="text-sm text-muted wrap-anywhere">
              <span className="font-medium text-ink">{username}</span>
              {name !== null && (
                <>
                  {' '}
                  · <bdi>{name}</bdi>
                </>
              )}
            </p>
          </div>
        </div>
        <Button
          variant="outline"
          size="sm"
          busy={logOut.isPending || logOut.isSuccess}
          onClick={() => logOut.mutate()}
        >
          <LogOut aria-hidden />
          <Trans>Log out</Trans>
        </Button>
      </div>
      <FormError>{logOut.isError ? accountFailure(logOut.error) : undefined}</FormError>
    </header>
  )
}

/** The parts are links, so that each has an address and the browser's Back button works. */
function AccountNavigation({ current }: { current: AccountPart }) {
  return (
    <nav aria-label={t`Account`}>
      <ul className="relative flex overflow-x-auto border-b border-line-strong">
        {accountParts.map((part) => {
          const isCurrent = part.id === current.id
          return (
            <li key={part.id} className="shrink-0">
              <Link
                ref={isCurrent ? bringIntoRow : undefined}
                to={part.path}
                preventScrollReset
                aria-current={isCurrent ? 'page' : undefined}
                className="flex h-11 items-center border-b-2 border-transparent px-2.5 text-sm font-medium text-muted no-underline -outline-offset-2 transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink sm:px-4"
              >
                {part.name}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
