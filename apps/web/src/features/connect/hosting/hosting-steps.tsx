import type { OwnDevice } from '@astropelago/contract/devices'
import type { OwnIsland } from '@astropelago/contract/islands'
import { useQuery } from '@tanstack/react-query'
import { ownIslandsQuery } from '../../../lib/islands/own-islands-query.ts'
import { relayedStateQuery } from '../../../lib/islands/use-relayed-state.ts'
import type { MadeToken } from '../connect-progress.ts'
import { ConnectStep } from '../connect-step.tsx'
import { useSelectedId } from '../use-selected-id.ts'
import { ChooseIsland } from './choose-island.tsx'
import { OpenIsland } from './open-island.tsx'
import { RunAgent } from './run-agent.tsx'

interface HostingStepsProps {
  device: OwnDevice | undefined
  /** The token for the relay that was made last on this page. */
  token: string | undefined
  onToken: (made: MadeToken) => void
}

/** What follows the choice of a device that hosts something: its island, the agent, and the open door. */
export function HostingSteps({ device, token, onToken }: HostingStepsProps) {
  const query = useQuery(ownIslandsQuery)
  const [selectedId, select] = useSelectedId('island')
  const islands = query.data ?? []
  const isCarried = ({ isRelayed, carrier }: OwnIsland) => isRelayed && carrier?.id === device?.id
  const selected = islands.find(({ id }) => id === selectedId) ?? islands.find(isCarried)
  const carried = device && selected && isCarried(selected) ? selected : undefined
  const state = useQuery({
    ...relayedStateQuery(carried?.id ?? ''),
    enabled: carried !== undefined,
  })
  const isConnected = state.data !== undefined && hasAgent(state.data.condition.state)
  return (
    <>
      <ConnectStep
        number={2}
        title="Choose your island"
        state={device === undefined ? 'locked' : carried ? 'done' : 'open'}
        locked="Select a device"
      >
        {device && (
          <ChooseIsland query={query} device={device} selected={selected} onSelect={select} />
        )}
      </ConnectStep>
      <ConnectStep
        number={3}
        title="Run the agent"
        state={carried === undefined ? 'locked' : isConnected ? 'done' : 'open'}
        locked="The block to paste shows here once the device carries an island."
      >
        {device && carried && (
          <RunAgent
            device={device}
            island={carried}
            token={token}
            onToken={onToken}
            isConnected={isConnected}
          />
        )}
      </ConnectStep>
      <ConnectStep
        number={4}
        title="Open your island"
        state={
          carried === undefined
            ? 'locked'
            : state.data?.condition.state === 'carried'
              ? 'done'
              : 'open'
        }
        locked="Its address shows here, and whether it can be opened from outside."
        isLast
      >
        {carried && <OpenIsland island={carried} isOpen={isConnected} />}
      </ConnectStep>
    </>
  )
}

function hasAgent(state: string): boolean {
  return state === 'carried' || state === 'failing'
}
