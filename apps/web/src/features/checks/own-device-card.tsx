import type { CheckTarget, OwnCheck } from '@astropelago/contract/checks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { LendCommand } from '../../devices/lend-command.tsx'
import { ownDevicesQuery } from '../../devices/own-devices-query.ts'
import { Card } from '../../ui/card.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'

/** The device that a check runs from, and what its agent needs. */
export function OwnDeviceCard({ own: { device, target, status } }: { own: OwnCheck }) {
  const { data: devices } = useQuery({ ...ownDevicesQuery, enabled: device !== null })
  if (device === null && target.kind !== 'ping') return null
  const label = devices?.find(({ id }) => id === device)?.label
  const name = label ?? '…'
  const isGone = devices !== undefined && label === undefined
  return (
    <Card className="items-start [&>div]:self-stretch" title={t`From your device`}>
      <p className="text-sm text-ink">
        {device === null
          ? t`Edit the check, and choose the device that it runs from.`
          : isGone
            ? t`The device was deleted. Edit the check, and choose another one.`
            : t`Only ${name} looks, where its agent’s command line allows it to. Nobody else sees what it finds.`}
      </p>
      {device !== null && label !== undefined && status === 'unobserved' && (
        <DeviceCommand device={device} target={target} />
      )}
    </Card>
  )
}

/** What to paste on the device. */
export function DeviceCommand({ device, target }: { device: string; target: CheckTarget }) {
  const lan = lanOf(target)
  return (
    <div className="flex w-full min-w-0 flex-col items-start gap-3 text-sm text-muted [&>figure]:w-full">
      <p>
        <Trans>
          The agent on the device needs these options. Replace the range if it is not that of your
          network, and name each port that you check.
        </Trans>
      </p>
      <CodeBlock label={t`Options`} text={`--lend --check-lan ${lan}`} />
      <p>
        <Trans>
          With them, it also looks at addresses for others, but only if you agree to that on the
          device’s page. No agent there yet? This command runs one.
        </Trans>
      </p>
      <LendCommand device={{ id: device }} checkLan={lan} />
    </div>
  )
}

/** The address itself, or for a name the range that most home networks have. */
function lanOf(target: CheckTarget): string {
  const url = target.kind === 'http' ? new URL(target.url) : undefined
  const written = url?.hostname ?? ('host' in target ? target.host : '')
  const host = written.replace(/^\[|\]$/g, '')
  const range = host.includes(':')
    ? `${host}/128`
    : /^[\d.]+$/.test(host)
      ? `${host}/32`
      : '192.168.1.0/24'
  return `${range}:${portOf(target, url)}`
}

function portOf(target: CheckTarget, url: URL | undefined): string {
  if (target.kind === 'ping') return 'ping'
  if (url !== undefined) return url.port || (url.protocol === 'https:' ? '443' : '80')
  return 'port' in target ? String(target.port) : '53'
}
