import { type ReactNode, useId } from 'react'
import CircleOff from 'virtual:icon/circle-off'
import EyeOff from 'virtual:icon/eye-off'
import UserRoundPlus from 'virtual:icon/user-round-plus'
import { IslandName } from '../../../islands/island-name.tsx'
import { LocalTime } from '../../../ui/local-time.tsx'
import type { Attention } from './attention.ts'
import { WaitingRequests } from './waiting-requests.tsx'

/** The islands' open issues, each with its actions. Empty if there are none. */
export function AttentionList({ items }: { items: readonly Attention[] }) {
  const id = useId()
  if (items.length === 0) return null
  return (
    <div className="flex flex-col gap-2">
      <h3 id={id} className="text-xs font-medium tracking-normal text-muted">
        Needs your attention
      </h3>
      <ul aria-labelledby={id} className="flex flex-col gap-2">
        {items.map((item) => (
          <li
            key={`${item.kind}-${item.island.id}`}
            className="flex min-w-0 flex-col gap-3 rounded-control border border-line-strong bg-raised p-3.5 text-sm"
          >
            <Concern item={item} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Concern({ item }: { item: Attention }): ReactNode {
  const { island } = item
  switch (item.kind) {
    case 'hidden':
      return (
        <Line icon={<EyeOff aria-hidden />}>
          <IslandName island={item.island} /> is hidden from everybody but you. Whoever runs this
          server says: <span className="wrap-anywhere">“{item.reason}”</span>
        </Line>
      )
    case 'requests':
      return (
        <>
          <Line icon={<UserRoundPlus aria-hidden />}>
            {island.requestCount === 1
              ? 'Somebody asks'
              : `${island.requestCount.toLocaleString('en')} people ask`}{' '}
            to join <IslandName island={item.island} />.
          </Line>
          <WaitingRequests island={island} />
        </>
      )
    case 'closed':
  }
  return (
    <Line icon={<CircleOff aria-hidden />}>
      <IslandName island={item.island} /> is closed
      {island.since !== null && (
        <>
          {' '}
          since <LocalTime at={island.since} />
        </>
      )}
      {island.carrier === null ? (
        '.'
      ) : (
        <>
          . Its device, <bdi className="font-medium">{island.carrier.label}</bdi>, is offline.
        </>
      )}
    </Line>
  )
}

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <div className="flex items-start gap-3 [&_svg]:mt-0.75 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-island">
      {icon}
      <p className="min-w-0 wrap-anywhere">{children}</p>
    </div>
  )
}
