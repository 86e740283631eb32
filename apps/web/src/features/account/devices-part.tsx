import { useRef } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { isFirstLoad } from '../../lib/query-state.ts'
import { useOwnDevices } from '../../devices/use-own-devices.ts'
import { ImportExport } from './import/import-export.tsx'
import { OwnDevices } from './own-devices.tsx'
import { RegisterDevice } from './register-device.tsx'

const pollMs = 10_000

/** The user's devices, and the form to register another. */
export function DevicesPart() {
  const query = useOwnDevices(() => pollMs)
  const register = useRef<HTMLElement>(null)
  // Everything appears at once, because the content below the lists would jump when they load.
  if (isFirstLoad(query)) {
    return (
      <div data-awaited>
        <Skeleton className="h-[36rem] w-full rounded-card" />
      </div>
    )
  }
  return (
    <>
      <div className="flex flex-wrap gap-3">
        <Link to={paths.connect()} className={buttonStyles()}>
          Connect a device
        </Link>
        <Button
          variant="outline"
          onClick={() => register.current?.querySelector<HTMLElement>('input')?.focus()}
        >
          Register a device
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
