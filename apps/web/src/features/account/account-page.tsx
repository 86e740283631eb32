import { useRef } from 'react'
import { Link } from 'react-router'
import { usePageTitle } from '../../lib/use-page-title.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { buttonStyles } from '../../ui/button-styles.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { OwnDevices } from './own-devices.tsx'
import { Profile } from './profile.tsx'
import { RegisterDevice } from './register-device.tsx'

export function AccountPage() {
  usePageTitle('Account')
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
      <OwnDevices />
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <Profile />
        <RegisterDevice ref={register} />
      </div>
    </>
  )
}
