import { useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Card, CardHeader } from '../../../ui/card.tsx'
import { DeviceItems } from '../devices/device-items.tsx'
import { OperatorList } from '../operator-list.tsx'
import { useUserDevices } from './users-queries.ts'

/** How many to render at first, because a user can have a thousand devices. */
const shownAtFirst = 50

interface UserDevicesProps {
  readonly username: string
  /** Whether the account is disabled, which hides its devices. */
  readonly isOff: boolean
}

/** A user's devices, without their locations, which are the owner's business. */
export function UserDevices({ username, isOff }: UserDevicesProps) {
  const titleId = useId()
  const query = useUserDevices(username)
  const [shownCount, setShownCount] = useState(shownAtFirst)
  const devices = query.data ?? []
  return (
    <Card aria-labelledby={titleId}>
      <CardHeader id={titleId} title="Devices" description="Oldest first." />
      <OperatorList
        of="The devices"
        query={query}
        isEmpty={devices.length === 0}
        empty={<p className="text-sm text-muted">{username} has no devices.</p>}
      >
        <DeviceItems
          name={`Devices of ${username}`}
          devices={devices.slice(0, shownCount)}
          isOff={isOff}
        />
        {devices.length > shownCount && (
          <Button
            variant="outline"
            className="self-center"
            onClick={() => setShownCount(shownCount * 2)}
          >
            Show more of {devices.length.toLocaleString('en')}
          </Button>
        )}
      </OperatorList>
    </Card>
  )
}
