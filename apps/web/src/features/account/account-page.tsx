import { usePageTitle } from '../../lib/use-page-title.ts'
import { PageHeader } from '../../ui/page-header.tsx'
import { OwnDevices } from './own-devices.tsx'
import { Profile } from './profile.tsx'
import { RegisterDevice } from './register-device.tsx'

export function AccountPage() {
  usePageTitle('Account')
  return (
    <>
      <PageHeader title="Account" lead="Who you are here, and the devices that you run." />
      <div className="grid min-w-0 items-start gap-6 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <Profile />
        <RegisterDevice />
      </div>
      <OwnDevices />
    </>
  )
}
