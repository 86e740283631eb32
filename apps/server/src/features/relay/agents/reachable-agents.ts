import type { CarriedIsland } from '../relayed-islands.ts'
import type { AgentIdentity, AgentSession } from './agent-session.ts'

/** An agent that can be asked: by its connection to this server, or over the one that it is connected to. */
export interface ReachableAgent extends Pick<AgentSession, 'isOpen' | 'takesConnect' | 'request'> {
  /** Known of an agent that is connected here. */
  readonly identity?: AgentIdentity
}

/** Whoever can be asked in an island's name. */
export interface ReachableAgents {
  readonly find: (island: CarriedIsland) => ReachableAgent | undefined
  /** The same; where one was there a moment ago it is waited for. Undefined where none comes. */
  readonly whenThere: (island: CarriedIsland) => Promise<ReachableAgent | undefined>
  /** Whether an agent was connected until a moment ago. */
  readonly wasThere: (island: CarriedIsland) => boolean
  /** Since when none is, where one was not long ago. */
  readonly goneSince: (island: CarriedIsland) => number | undefined
  /** Whether one is connected to another server, to which this one has no way. */
  readonly isOutOfReach?: (island: CarriedIsland) => boolean
}
