import type { OwnDevice } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import CircleCheck from 'virtual:icon/circle-check'
import Info from 'virtual:icon/info'
import { publicUrl } from '../../lib/public-url.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { heartbeatGuides } from '../../devices/heartbeat-commands/heartbeat-guides.ts'
import { heartbeatOffsetSeconds } from '../../devices/heartbeat-commands/heartbeat-offset.ts'
import {
  tryNowCommand,
  tryNowInPowershell,
} from '../../devices/heartbeat-commands/try-now-command.ts'
import { SystemGuides } from '../../devices/system-guides.tsx'

interface InstallHeartbeatProps {
  device: OwnDevice
  token: string
  /** Whether a heartbeat came from an installed sender, not from the test command. */
  isInstalled: boolean
}

export function InstallHeartbeat({ device, token, isInstalled }: InstallHeartbeatProps) {
  const heartbeat = {
    publicUrl: publicUrl(),
    token,
    deviceId: device.id,
    offsetSeconds: heartbeatOffsetSeconds(device.id),
  }
  return (
    <SystemGuides
      label={t`What the device runs`}
      guides={heartbeatGuides(heartbeat)}
      renderAbove={(system) => {
        const tryNow =
          system === 'windows' ? tryNowInPowershell(heartbeat) : tryNowCommand(heartbeat)
        return (
          <>
            <div className="flex min-w-0 flex-col gap-3">
              <CodeBlock label={tryNow.title} text={tryNow.text} language={tryNow.language} />
              {/* Users look here after running the command. The last step can be a screen further down. */}
              <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
                <Trans>
                  Status right now: <StatusBadge status={device.status} />
                </Trans>
              </p>
              {device.status === 'online' && <InstallNote isInstalled={isInstalled} />}
            </div>
            <p className="text-sm text-muted">{leads[system ?? 'others']}</p>
          </>
        )
      }}
    />
  )
}

const leads = {
  linux: t`Then let the device report every two minutes. This block finds out how to do that on your device, and tells you if something is missing.`,
  macos: t`Then let the Mac report every two minutes.`,
  windows: t`Then let Windows report every two minutes.`,
  others: t`Then let the device report every two minutes. Choose what your device has.`,
} as const

function InstallNote({ isInstalled }: Pick<InstallHeartbeatProps, 'isInstalled'>) {
  const Icon = isInstalled ? CircleCheck : Info
  return (
    <p className="flex items-start gap-2.5 rounded-control bg-raised px-3.5 py-2.5 text-sm">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      <span>
        {isInstalled
          ? t`A second heartbeat has arrived. Your device now reports by itself.`
          : t`The first heartbeat has arrived. If you have pasted the block below, wait for the second one, which comes within a few minutes. If not, paste it now: the line above installs nothing.`}
      </span>
    </p>
  )
}
