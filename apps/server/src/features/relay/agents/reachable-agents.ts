import type { CarriedIsland } from '../relayed-islands.ts'
import type { AgentIdentity, AgentSession } from './agent-session.ts'

/**
 * An agent that can take requests: connected to this server, or reached over the server to which it is
 * connected.
 */
export interface ReachableAgent extends Pick<AgentSession, 'isOpen' | 'takesConnect' | 'request'> {
  /** Only of agents that are connected to this server. */
  readonly identity?: AgentIdentity
}

/** The agents that can take an island's requests. */
export interface ReachableAgents {
  readonly find: (island: CarriedIsland) => ReachableAgent | undefined
  /** The same, but waits for an agent that was connected a moment ago. Undefined if none comes. */
  readonly whenThere: (island: CarriedIsland) => Promise<ReachableAgent | undefined>
  /** Whether an agent was connected until a moment ago. */
  readonly wasThere: (island: CarriedIsland) => boolean
  /** Since when no agent is connected. Undefined if one is, or none was lately. */
  readonly goneSince: (island: CarriedIsland) => number | undefined
  /** Whether its agents are all connected to servers that this one can't reach. */
  readonly isOutOfReach?: (island: CarriedIsland) => boolean
}
