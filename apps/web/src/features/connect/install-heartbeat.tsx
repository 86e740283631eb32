import type { OwnDevice } from '@astropelago/contract/devices'
import { publicUrl } from '../../lib/public-url.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CommandGuideView } from '../devices/command-guide-view.tsx'
import { heartbeatGuides } from '../devices/heartbeat-commands/heartbeat-guides.ts'
import { heartbeatOffsetSeconds } from '../devices/heartbeat-commands/heartbeat-offset.ts'
import { tryNowCommand } from '../devices/heartbeat-commands/try-now-command.ts'

interface InstallHeartbeatProps {
  device: OwnDevice
  token: string
}

/** The third step: one heartbeat to try, then a way to send them for good. */
export function InstallHeartbeat({ device, token }: InstallHeartbeatProps) {
  const heartbeat = {
    publicUrl: publicUrl(),
    token,
    deviceId: device.id,
    offsetSeconds: heartbeatOffsetSeconds(device.id),
  }
  const tryNow = tryNowCommand(heartbeat)
  return (
    <>
      <div className="flex min-w-0 flex-col gap-3">
        <CodeBlock label={tryNow.title} text={tryNow.text} language={tryNow.language} />
        {/* Where one looks after running the line; the last step can be a screen further down. */}
        <p className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
          Status right now: <StatusBadge status={device.status} />
        </p>
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <p className="text-sm text-muted">
          Then let the device report every two minutes, by what it has. Paste it into a terminal on
          the device.
        </p>
        <Tabs
          label="Ways to install the heartbeat"
          tabs={heartbeatGuides(heartbeat).map((guide) => ({
            name: guide.name,
            content: <CommandGuideView guide={guide} />,
          }))}
        />
      </div>
    </>
  )
}
