import type { OwnDevice } from '@astropelago/contract/devices'
import { type Ref, useState } from 'react'
import { Link } from 'react-router'
import CircleCheck from 'virtual:icon/circle-check'
import { paths } from '../../paths.ts'
import { Card, CardHeader } from '../../ui/card.tsx'
import { DeviceForm } from '../../devices/device-form.tsx'
import { useOwnDeviceChanges } from '../../devices/own-device-changes.ts'
import { accountFailure } from './account-failure.ts'

const headingId = 'register-device-heading'

export function RegisterDevice({ ref }: { ref?: Ref<HTMLElement> }) {
  const { register } = useOwnDeviceChanges()
  const [registered, setRegistered] = useState<OwnDevice>()
  return (
    <Card ref={ref} aria-labelledby={headingId}>
      <CardHeader
        id={headingId}
        title="Register a Device"
        description="Give it a name and a place. It comes online with its first heartbeat."
      />
      <DeviceForm
        save={register}
        onSaved={setRegistered}
        explain={accountFailure}
        submitLabel="Register device"
        busyLabel="Registering…"
      />
      {/* Rendered before its text arrives, so that screen readers announce the text. */}
      <output className="empty:hidden">
        {registered && (
          <span className="flex items-start gap-2.5 rounded-control border border-accent/40 bg-accent-soft px-3.5 py-2.5 text-sm">
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
            <span className="min-w-0 wrap-anywhere">
              <bdi>{registered.label}</bdi> is registered.{' '}
              <Link
                to={paths.connectDevice(registered.id)}
                className="font-medium text-accent underline underline-offset-4"
              >
                Connect it now
              </Link>
            </span>
          </span>
        )}
      </output>
    </Card>
  )
}
