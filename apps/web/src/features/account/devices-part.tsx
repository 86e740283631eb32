import { LinkButton } from '../../lib/link-button.tsx'
import type { OwnDevice } from '@astropelago/contract/devices'
import { exportDevices } from '@astropelago/contract/devices-csv'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type Ref, useRef, useState } from 'react'
import { Link } from 'react-router'
import CircleCheck from 'virtual:icon/circle-check'
import Download from 'virtual:icon/download'
import Upload from 'virtual:icon/upload'
import { DeviceForm } from '../../devices/device-form.tsx'
import { useOwnDeviceChanges } from '../../devices/own-device-changes.ts'
import { useOwnDevices } from '../../devices/use-own-devices.ts'
import { routeUrl } from '../../lib/fetch-answer.ts'
import { isFirstLoad } from '../../lib/query-state.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { AwaitedSkeleton } from '../../ui/skeleton.tsx'
import { useDialog } from '../../ui/use-dialog.tsx'
import { accountFailure } from './account-failure.ts'
import { OwnDevices } from './own-devices.tsx'

const pollMs = 10_000

export function DevicesPart() {
  const query = useOwnDevices(() => pollMs)
  const register = useRef<HTMLElement>(null)
  // Everything appears at once, because the content below the lists would jump when they load.
  if (isFirstLoad(query)) {
    return <AwaitedSkeleton className="h-[36rem] w-full rounded-card" />
  }
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <LinkButton to={paths.connect()}>
          <Trans>Connect a device</Trans>
        </LinkButton>
        <Button
          variant="outline"
          onClick={() => register.current?.querySelector<HTMLElement>('input')?.focus()}
        >
          <Trans>Register a device</Trans>
        </Button>
        <ImportExport />
      </div>
      <OwnDevices query={query} />
      {/* Narrower than the lists, because such wide fields are hard to read. */}
      <div className="max-w-3xl">
        <RegisterDevice ref={register} />
      </div>
    </>
  )
}

const fetchDialog = async () => (await import('./import-dialog.tsx')).ImportDialog

function ImportExport() {
  const { open, dialog } = useDialog(fetchDialog)
  return (
    <>
      <Button variant="outline" onClick={() => open({})}>
        <Upload aria-hidden />
        <Trans>Import CSV</Trans>
      </Button>
      <a
        href={routeUrl(exportDevices, {})}
        download="devices.csv"
        className={buttonStyles({ variant: 'outline' })}
      >
        <Download aria-hidden />
        <Trans>Export CSV</Trans>
      </a>
      {dialog}
    </>
  )
}

function RegisterDevice({ ref }: { ref?: Ref<HTMLElement> }) {
  const { register } = useOwnDeviceChanges()
  const [registered, setRegistered] = useState<OwnDevice>()
  const label = <bdi>{registered?.label}</bdi>
  return (
    <Card
      ref={ref}
      title={t`Register a Device`}
      description={t`Give it a name and a place. It comes online with its first heartbeat.`}
    >
      <DeviceForm
        save={register}
        onSaved={setRegistered}
        explain={accountFailure}
        submitLabel={t`Register device`}
        busyLabel={t`Registering…`}
      />
      {/* Rendered before its text arrives, so that screen readers announce the text. */}
      <output className="empty:hidden">
        {registered && (
          <span className="flex items-start gap-2.5 rounded-control border border-accent/40 bg-accent-soft px-3.5 py-2.5 text-sm">
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
            <span className="min-w-0 wrap-anywhere">
              <Trans>
                {label} is registered.{' '}
                <Link
                  to={paths.connectDevice(registered.id)}
                  className="font-medium text-accent underline underline-offset-4"
                >
                  Connect it now
                </Link>
              </Trans>
            </span>
          </span>
        )}
      </output>
    </Card>
  )
}
