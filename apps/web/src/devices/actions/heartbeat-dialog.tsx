import type { OwnDevice } from '@astropelago/contract/devices'
import { Link } from 'react-router'
import KeyRound from 'virtual:icon/key-round'
import { publicUrl } from '../../lib/public-url.ts'
import { useUser } from '../../lib/use-user.ts'
import { paths } from '../../paths.ts'
import { buttonStyles } from '../../ui/button-styles.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CommandGuideView } from '../command-guide-view.tsx'
import { heartbeatOffsetSeconds } from '../heartbeat-commands/heartbeat-offset.ts'
import { sessionCookieCommand } from '../heartbeat-commands/session-cookie-command.ts'

interface HeartbeatDialogProps {
  device: OwnDevice
  onClose: () => void
}

/** The two ways to report: with a token, which most users want, or with the user's own session. */
export function HeartbeatDialog({ device, onClose }: HeartbeatDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Heartbeat command"
      description={
        <>
          What <bdi className="font-medium wrap-anywhere text-ink">{device.label}</bdi> runs to say
          that it is online.
        </>
      }
      wide
    >
      <Tabs
        label="Ways to report"
        tabs={[
          { name: 'By device token', content: <ByToken device={device} /> },
          { name: 'By session cookie', content: <BySession device={device} /> },
        ]}
      />
    </Dialog>
  )
}

function ByToken({ device }: { device: OwnDevice }) {
  return (
    <div className="flex flex-col items-start gap-5">
      <p className="text-sm text-muted">
        Best for a device that runs by itself. A token needs no password, it can only report, and
        you can revoke it at any time. The guide makes a token and gives you the command for Linux,
        macOS or Windows.
      </p>
      <Link to={paths.connectDevice(device.id)} className={buttonStyles()}>
        <KeyRound aria-hidden />
        Get the command with a token
      </Link>
    </div>
  )
}

function BySession({ device }: { device: OwnDevice }) {
  const { username } = useUser()
  const guide = sessionCookieCommand({
    publicUrl: publicUrl(),
    deviceId: device.id,
    offsetSeconds: heartbeatOffsetSeconds(device.id),
    username,
  })
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <p className="text-sm text-muted">
        Reports every minute with its own session. It asks for your password once. Demo accounts
        have none.
      </p>
      <CommandGuideView guide={guide} />
    </div>
  )
}
