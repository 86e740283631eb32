/** The source of spark.js on each island's host name, for its pages. */
import { agreedChannel, runtimeSocketPath } from '@astropelago/contract/runtime-paths'
import { createIslandSpark, installIslandSpark } from './island-spark.ts'
import { webSocketWire } from './web-socket-wire.ts'

const url = window.location.origin.replace('http', 'ws') + runtimeSocketPath

installIslandSpark(() =>
  createIslandSpark(webSocketWire(url), window, new BroadcastChannel(agreedChannel)),
)
