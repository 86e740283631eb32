import { useRef } from 'react'
import { Link } from 'react-router'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { buttonStyles } from '../../ui/button-styles.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { isFirstLoad } from '../devices/own-devices-query.ts'
import { useOwnDevices } from '../devices/use-own-devices.ts'
import { OwnDevices } from './own-devices.tsx'
import { Profile } from './profile.tsx'
import { RegisterDevice } from './register-device.tsx'

const pollMs = 10_000

export function AccountPage() {
  usePageTitle('Account')
  const query = useOwnDevices(() => pollMs)
  const register = useRef<HTMLElement>(null)
  return (
    <>
      <PageHeader title="Account" lead="The devices that you run, and who you are here.">
        <Link to={paths.connect()} className={buttonStyles()}>
          Connect a device
        </Link>
        <Button
          variant="outline"
          onClick={() => register.current?.querySelector<HTMLElement>('input')?.focus()}
        >
          Register a device
        </Button>
      </PageHeader>
      {/* All at once: what stands below the lists would jump when they come. */}
      {isFirstLoad(query) ? (
        <div data-awaited>
          <Skeleton className="h-[36rem] w-full rounded-card" />
        </div>
      ) : (
        <>
          <OwnDevices query={query} />
          <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
            <Profile />
            <RegisterDevice ref={register} />
          </div>
        </>
      )}
    </>
  )
}
