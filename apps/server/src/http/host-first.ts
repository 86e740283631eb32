import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Takes requests by their Host, before anything of the site sees them, and answers all of them itself. */
export interface OtherHosts {
  readonly takes: (request: IncomingMessage) => boolean
  /** Answers a request that is for it, and returns true. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean
  readonly isUpgrade: (request: IncomingMessage) => boolean
  readonly upgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => void
  /** Whether it watches the data that waits on a connection by itself. */
  readonly watches: (socket: Socket) => boolean
}

export const siteAlone: OtherHosts = {
  takes: () => false,
  answer: () => false,
  isUpgrade: () => false,
  upgrade: () => undefined,
  watches: () => false,
}
