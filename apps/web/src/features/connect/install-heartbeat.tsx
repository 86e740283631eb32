import type { OwnDevice } from '@astropelago/contract/devices'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import CircleCheck from 'virtual:icon/circle-check'
import Info from 'virtual:icon/info'
import { publicUrl } from '../../lib/public-url.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { heartbeatGuides } from '../../devices/heartbeat-commands/heartbeat-guides.ts'
import { cadenceOf } from '../../devices/heartbeat-commands/cadence.ts'
import { heartbeatOffsetSeconds } from '../../devices/heartbeat-commands/heartbeat-offset.ts'
import {
  tryNowCommand,
  tryNowInPowershell,
} from '../../devices/heartbeat-commands/try-now-command.ts'
import { atTimesText, everyText } from '../../devices/schedule-words.ts'
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
    schedule: device.schedule,
  }
  const { schedule } = device
  // Launchd and Windows report more often than at certain times.
  const oftenOn = (system: string | undefined) =>
    schedule?.kind === 'cron' && system !== 'macos' && system !== 'windows'
      ? atTimesText(schedule)
      : everyText(cadenceOf(schedule).seconds)
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
              {device.status === 'online' && (
                <InstallNote isInstalled={isInstalled} often={schedule && oftenOn(system)} />
              )}
            </div>
            <p className="text-sm text-muted">{leads[system ?? 'others'](oftenOn(system))}</p>
          </>
        )
      }}
    />
  )
}

const leads = {
  linux: (often: string) =>
    t`Then let the device report ${often}. This block finds out how to do that on your device, and tells you if something is missing.`,
  macos: (often: string) => t`Then let the Mac report ${often}.`,
  windows: (often: string) => t`Then let Windows report ${often}.`,
  others: (often: string) => t`Then let the device report ${often}. Choose what your device has.`,
} as const

interface InstallNoteProps {
  isInstalled: boolean
  /** How often a device with a schedule reports. */
  often: string | null
}

function InstallNote({ isInstalled, often }: InstallNoteProps) {
  const Icon = isInstalled ? CircleCheck : Info
  return (
    <p className="flex items-start gap-2.5 rounded-control bg-raised px-3.5 py-2.5 text-sm">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-accent" />
      <span>
        {isInstalled
          ? t`A second heartbeat has arrived. Your device now reports by itself.`
          : often !== null
            ? t`The first heartbeat has arrived. If you have pasted the block below, the device reports ${often} from now on. If not, paste it now: the line above installs nothing.`
            : t`The first heartbeat has arrived. If you have pasted the block below, wait for the second one, which comes within a few minutes. If not, paste it now: the line above installs nothing.`}
      </span>
    </p>
  )
}
