import type { OperatorUser } from '@astropelago/contract/operator'
import {
  distrustHost,
  startUserRelay,
  stopUserRelay,
  trustHost,
} from '@astropelago/contract/operator-relay'
import { call } from '../../../lib/call.ts'
import { TitledCard } from '../../../ui/titled-card.tsx'
import { ActionButton } from '../action-button.tsx'
import { MeasureLine } from '../subject-details.tsx'

export function UserRelay({ user: { username, relayStopped, trustedAt } }: { user: OperatorUser }) {
  const params = { username }
  return (
    <TitledCard
      title="As a host"
      description={
        trustedAt === null
          ? 'Visitors who come through the relay first read whose device the island is on.'
          : 'Visitors come through the relay without being asked first.'
      }
    >
      <MeasureLine kind="relay-stopped" measure={relayStopped} isLarge />
      <div className="flex flex-wrap gap-3">
        {trustedAt === null ? (
          <ActionButton
            label="Trust this host"
            title={`Trust ${username} as a host?`}
            action="Trust"
            act={() => call(trustHost, { params })}
            done={`${username} is trusted as a host`}
          >
            Visitors come to all islands of {username} without first reading whose device they are
            on. Trust only people you know.
          </ActionButton>
        ) : (
          <ActionButton
            label="Trust no more"
            title={`Trust ${username} no more?`}
            action="Trust no more"
            act={() => call(distrustHost, { params })}
            done={`${username} is not trusted as a host`}
          >
            Visitors who come to an island of {username} through the relay first read whose device
            the island is on.
          </ActionButton>
        )}
        {relayStopped === null ? (
          <ActionButton
            label="Stop the relay"
            title={`Stop the relay for ${username}?`}
            reader={username}
            action="Stop it"
            act={(reason) => call(stopUserRelay, { params, body: { reason } })}
            done={`The relay carries nobody to islands of ${username}`}
          >
            Visitors who are on an island of {username} through the relay are cut off at once, and
            nobody can enter. The islands’ pages stay.
          </ActionButton>
        ) : (
          <ActionButton
            label="Start the relay again"
            title={`Start the relay for ${username} again?`}
            action="Start it"
            act={() => call(startUserRelay, { params })}
            done={`The relay carries visitors to islands of ${username} again`}
          >
            The islands are back as soon as their devices have connected again, which can take five
            minutes. An island whose own relay is stopped stays stopped.
          </ActionButton>
        )}
      </div>
    </TitledCard>
  )
}
