import {
  type DeviceKind,
  listAllDevices,
  type OperatorDevice,
  removeDevice,
} from '@astropelago/contract/operator'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import SearchX from 'virtual:icon/search-x'
import { DeviceLink } from '../../devices/device-link.tsx'
import { call } from '../../lib/call.ts'
import { NameLink } from '../../lib/name-link.tsx'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ActionButton } from './action-button.tsx'
import { AtTime } from './at-time.tsx'
import { ListFilter, SearchField, useChoiceInAddress, useSearchInAddress } from './list-filter.tsx'
import { OperatorListCard } from './operator-list-card.tsx'
import { useSearchedPages } from './operator-query.ts'
import {
  HideOrShow,
  listItemStyles,
  MeasureLine,
  SubjectName,
  UserLink,
} from './subject-details.tsx'

const kinds: Readonly<Record<DeviceKind, string>> = {
  public: t`Seen by everybody`,
  private: t`Private`,
  hidden: t`Hidden`,
}

const visibilities: Readonly<Record<OperatorDevice['visibility'], string>> = {
  public: t`public`,
  private: t`private`,
}

export function Devices() {
  const { field, wanted } = useSearchInAddress()
  const query = useSearchedPages({
    list: 'devices',
    filter: { search: wanted, only: useChoiceInAddress('only', kinds) },
    fetchPage: (asked, signal) => call(listAllDevices, { query: asked, signal }),
    nextOf: ({ devices: page, hasMore }) => (hasMore ? page.at(-1)?.id : undefined),
  })
  const devices = query.data?.pages.flatMap((page) => page.devices) ?? []
  return (
    <OperatorListCard
      of={t`The devices`}
      title={t`Devices`}
      description={t`Every device, the newest first. Where each is stays its owner’s business.`}
      filters={
        <SearchField label={t`Search devices`} placeholder={t`In label or owner`} {...field}>
          <ListFilter name="only" label={t`Show`} without={t`All of them`} choices={kinds} />
        </SearchField>
      }
      query={query}
      isEmpty={devices.length === 0}
      empty={
        wanted === '' ? (
          <p className="text-sm text-muted">
            <Trans>There are none.</Trans>
          </p>
        ) : (
          <EmptyState icon={<SearchX aria-hidden />} title={t`No device has this name`}>
            <p>
              <Trans>Labels and owners’ usernames are searched, without regard to case.</Trans>
            </p>
          </EmptyState>
        )
      }
    >
      <DeviceItems name={t`Devices`} devices={devices} />
    </OperatorListCard>
  )
}

/** `owner` is set in lists with devices of several users. */
type ShownDevice = OperatorDevice & { readonly owner?: string }

interface DeviceItemsProps {
  readonly name: string
  readonly devices: readonly ShownDevice[]
  /** Whether the owner's account is disabled, which hides the devices. */
  readonly isOff?: boolean
}

/** Devices and the actions on each, without locations, which are the owners' business. */
export function DeviceItems({ name, devices, isOff = false }: DeviceItemsProps) {
  return (
    <ul aria-label={name} className="flex flex-col">
      {devices.map((device) => (
        <DeviceItem key={device.id} device={device} isOff={isOff} />
      ))}
    </ul>
  )
}

function DeviceItem({ device, isOff }: { device: ShownDevice; isOff: boolean }) {
  const { id, label, visibility, status, link, lastSeenAt, hidden, owner } = device
  const hasPage = visibility === 'public' && hidden === null && !isOff
  return (
    <li className={`${listItemStyles} py-4`}>
      <div className="flex min-w-0 flex-col gap-1">
        <h3 className="text-sm font-medium wrap-anywhere">
          {hasPage ? <NameLink to={paths.device(id)}>{label}</NameLink> : <bdi>{label}</bdi>}
        </h3>
        <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted">
          <StatusBadge status={status} />
          <span>{visibilities[visibility]}</span>
          {owner !== undefined && (
            <span>
              <Trans>
                of <UserLink username={owner} />
              </Trans>
            </span>
          )}
          <span>
            {lastSeenAt === null ? (
              t`never seen`
            ) : (
              <Trans>
                seen <AtTime at={lastSeenAt} />
              </Trans>
            )}
          </span>
          {link !== null && (
            <span className="flex max-w-72 min-w-0">
              <DeviceLink link={link} />
            </span>
          )}
        </p>
        <MeasureLine kind="hidden" measure={hidden} />
        <p className="font-mono text-xs wrap-anywhere text-muted">{id}</p>
      </div>
      <div className="flex shrink-0 gap-2">
        <HideOrShow
          kind="device"
          id={id}
          name={label}
          isHidden={hidden !== null}
          hiding={
            <Trans>
              <SubjectName>{label}</SubjectName> disappears from the globe, the map and the lists at
              once. Its owner keeps it, and sees that it is hidden and why.
            </Trans>
          }
          showing={
            visibility === 'public' ? (
              <Trans>
                <SubjectName>{label}</SubjectName> is back on globe, map and lists at once.
              </Trans>
            ) : (
              <Trans>
                <SubjectName>{label}</SubjectName> is private: only its owner will see it.
              </Trans>
            )
          }
        />
        <ActionButton
          label={t`Delete`}
          name={t`Delete ${label}`}
          size="sm"
          title={t`Delete this device?`}
          action={t`Delete this device`}
          isDestructive
          word={label}
          act={() => call(removeDevice, { params: { id } })}
          done={t`${label} is deleted`}
        >
          <Trans>
            <SubjectName>{label}</SubjectName> is deleted with its tokens, which stop working at
            once. Its owner gets no message. This can’t be undone. If you only want to take it out
            of sight, hide it.
          </Trans>
        </ActionButton>
      </div>
    </li>
  )
}
