import {
  changeInstallationKey,
  listOperatorNeighbours,
} from '@astropelago/contract/operator-neighbours'
import type { AnswerBody } from '@astropelago/contract/route'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import Telescope from 'virtual:icon/telescope'
import { DeviceLink } from '../../../devices/device-link.tsx'
import { call } from '../../../lib/call.ts'
import { Card } from '../../../ui/card.tsx'
import { CodeBlock } from '../../../ui/code-block.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ActionButton, DialogButton } from '../action-button.tsx'
import { AtTime } from '../at-time.tsx'
import { OperatorListCard } from '../operator-list-card.tsx'
import { operatorKey } from '../operator-query.ts'
import { listItemStyles } from '../subject-details.tsx'
import { FollowDialog } from './follow-dialog.tsx'
import { NeighbourItem } from './neighbour-item.tsx'

type List = AnswerBody<typeof listOperatorNeighbours>

/** Connections come and go by themselves. */
const pollMs = 15_000

/** Whom this installation follows, who follows it, and who it is. */
export function Neighbours() {
  const query = useQuery({
    queryKey: [operatorKey, 'neighbours'],
    queryFn: ({ signal }) => call(listOperatorNeighbours, { signal }),
    refetchInterval: pollMs,
  })
  const { neighbours = [], followers = [], own } = query.data ?? {}
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <OperatorListCard
        of={t`The neighbours`}
        title={t`Followed`}
        description={t`Installations whose shared islands and devices are shown here, with their names and links to their own pages. Nothing of them is counted or passed on.`}
        actions={
          <DialogButton
            variant="default"
            renderDialog={(close) => <FollowDialog onClose={close} />}
          >
            <Trans>Follow an installation</Trans>
          </DialogButton>
        }
        query={query}
        isEmpty={neighbours.length === 0}
        empty={
          <EmptyState
            icon={<Telescope aria-hidden />}
            title={t`This installation follows no others`}
          >
            <p>
              <Trans>
                Enter the address of another one. You see what it would bring before anything is
                shown.
              </Trans>
            </p>
          </EmptyState>
        }
      >
        <ul aria-label={t`Followed`} className="flex flex-col">
          {neighbours.map((neighbour) => (
            <NeighbourItem key={neighbour.id} neighbour={neighbour} />
          ))}
        </ul>
      </OperatorListCard>
      {own !== undefined && (
        <>
          <Followers followers={followers} />
          <OwnInstallation own={own} />
        </>
      )}
    </div>
  )
}

function Followers({ followers }: Pick<List, 'followers'>) {
  return (
    <Card
      title={t`Followers`}
      description={t`Installations that show what users of this one share. To keep one out, block it above.`}
    >
      {followers.length === 0 ? (
        <p className="text-sm text-muted">
          <Trans>Nobody follows this installation yet.</Trans>
        </p>
      ) : (
        <ul aria-label={t`Followers`} className="flex flex-col">
          {followers.map(({ address, isVerified, isConnected, firstAt, lastAt }) => (
            <li key={address} className={`${listItemStyles} py-4`}>
              <div className="flex min-w-0 flex-col gap-1 text-sm">
                <DeviceLink link={address} />
                {!isVerified && (
                  <span className="text-xs text-muted">
                    <Trans>
                      It says that it has this address, but the address does not confirm it.
                    </Trans>
                  </span>
                )}
              </div>
              <p className="text-xs text-muted" data-numeric>
                {isConnected ? (
                  <Trans>
                    Connected, since <AtTime at={firstAt} /> among the followers
                  </Trans>
                ) : (
                  <Trans>
                    Last seen <AtTime at={lastAt} />
                  </Trans>
                )}
              </p>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function OwnInstallation({ own }: Pick<List, 'own'>) {
  const { address, key, keyNumber, islandCount, deviceCount } = own
  const islands = plural(islandCount, { one: '# island', other: '# islands' })
  const devices = plural(deviceCount, { one: '# device', other: '# devices' })
  return (
    <Card
      title={t`This installation`}
      description={t`What other operators need to follow it, and to make sure that it is this one.`}
      actions={
        <ActionButton
          label={t`Change the key`}
          title={t`Change this installation’s key?`}
          action={t`Change it`}
          act={() => call(changeInstallationKey)}
          done={t`The key is changed`}
        >
          <Trans>
            A new key replaces the old one, which signs it. Followers accept it by themselves. Do
            this if somebody else may have seen the old one, for example in a lost backup.
          </Trans>
        </ActionButton>
      }
    >
      <CodeBlock label={t`Address`} text={address} />
      <CodeBlock label={t`Key number ${keyNumber}`} text={key} />
      <p className="text-sm text-muted" data-numeric>
        <Trans>
          Its users share {islands} and {devices}.
        </Trans>
      </p>
    </Card>
  )
}
