import type { OwnDevice } from '@astropelago/contract/devices'
import { Link } from 'react-router'
import { publicUrl } from '../../lib/public-url.ts'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { CommandGuideView } from '../devices/command-guide-view.tsx'
import { heartbeatOffsetSeconds } from '../devices/heartbeat-commands/heartbeat-offset.ts'
import { sessionCookieCommand } from '../devices/heartbeat-commands/session-cookie-command.ts'

interface SessionHeartbeatDialogProps {
  device: OwnDevice
  onClose: () => void
}

export function SessionHeartbeatDialog({ device, onClose }: SessionHeartbeatDialogProps) {
  const { username } = useUser()
  const guide = sessionCookieCommand({
    publicUrl: publicUrl(),
    deviceId: device.id,
    offsetSeconds: heartbeatOffsetSeconds(device.id),
    username,
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Heartbeat by session cookie"
      description={
        <>
          Reports <bdi className="font-medium wrap-anywhere text-ink">{device.label}</bdi> every
          minute with a session of your own. It asks for your password, which demo accounts don’t
          have; a device left to itself is better off with{' '}
          <Link
            to={paths.connectDevice(device.id)}
            className="text-accent underline underline-offset-4"
          >
            a device token
          </Link>
          .
        </>
      }
      wide
    >
      <CommandGuideView guide={guide} />
    </Dialog>
  )
}
