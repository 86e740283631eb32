/**
 * Where islands’ pages find their platform runtime, on each island’s host name. Without a schema, because
 * the runtime itself imports it and is to stay small.
 */

/** On every island's host name, the relay itself answers paths below this. */
export const relayPath = '/.astropelago/'
/**
 * Where an island's host name sends a browser to the site, and accepts the ticket that it comes back with.
 */
export const enterPath = `${relayPath}enter`

export const runtimeScriptPath = `${relayPath}spark.js`
/** A WebSocket with a JSON text in each message. One for each page. */
export const runtimeSocketPath = `${relayPath}live`
/** Where a window that asked for the visitor’s consent ends up, and closes itself. */
export const agreedPath = `${relayPath}agreed`
/** The channel on which that window tells the island’s pages. */
export const agreedChannel = 'astropelago-agreed'

/** Why the server closed a connection. Pages connect again after all others. */
export const runtimeCloseCodes = {
  /** The visitor may not enter any more. */
  shut: 4003,
  /** It sent what no page of ours sends. */
  unwanted: 1008,
  tooMany: 4029,
  slow: 1013,
  shutdown: 1001,
} as const
