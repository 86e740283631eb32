import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Who has requests by the host that they name, before anything of the site sees them. It answers all of
 * them itself, whatever they are.
 */
export interface OtherHosts {
  readonly takes: (request: IncomingMessage) => boolean
  /** Answers a request that it takes, and says so. */
  readonly answer: (request: IncomingMessage, response: ServerResponse) => boolean
  /** Whether a request that it takes leaves HTTP by its header `Upgrade`. */
  readonly isUpgrade: (request: IncomingMessage) => boolean
  readonly upgrade: (request: IncomingMessage, socket: Socket, head: Buffer) => void
  /** Whether it watches itself over what waits to be read on a connection. */
  readonly watches: (socket: Socket) => boolean
}

/** Where there is no other host. */
export const siteAlone: OtherHosts = {
  takes: () => false,
  answer: () => false,
  isUpgrade: () => false,
  upgrade: () => undefined,
  watches: () => false,
}
