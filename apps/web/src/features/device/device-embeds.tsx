import type { OwnDevice, PublicDeviceDetails } from '@astropelago/contract/devices'
import { embedPaths } from '@astropelago/contract/embeds'
import { EmbedCard, NoEmbeds } from '../../lib/embed-card.tsx'
import { paths } from '../../paths.ts'

interface DeviceEmbedsProps {
  device: PublicDeviceDetails
  /** The same device, if it belongs to the viewer. */
  own: OwnDevice | undefined
}

/** Badge and feed of a device, if it is public. */
export function DeviceEmbeds({ device, own }: DeviceEmbedsProps) {
  const { id, label, status, since } = device
  if (own?.visibility === 'private') {
    return (
      <NoEmbeds>
        This device is private, so it has no badge and no feed. Make it public to get both.
      </NoEmbeds>
    )
  }
  if (own?.hidden) {
    return <NoEmbeds>While it is hidden, nobody can see its badge or its feed.</NoEmbeds>
  }
  return (
    <EmbedCard
      of={{
        name: label,
        page: paths.device(id),
        statusBadge: embedPaths.deviceStatusBadge(id),
        uptimeBadge: embedPaths.deviceUptimeBadge(id),
        feed: embedPaths.deviceFeed(id),
      }}
      state={`${label} ${status} ${since}`}
    />
  )
}
