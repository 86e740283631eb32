/**
 * Real services through the relay: the server, the agent that it serves, and programs that people run at
 * home.
 */
import { otherNode } from './other-node.ts'
import { checkEvents, startEvents } from './relay/events.ts'
import { checkFiles, checkGit, checkLargeFile, startNginx } from './relay/nginx.ts'
import { RelayStand } from './relay/relay-stand.ts'
import { checkSshd } from './relay/sshd.ts'
import { checkVite } from './relay/vite.ts'
import { checkWebSockets, startEcho } from './relay/web-sockets.ts'
import { within } from './relay/within.ts'

/** Debian 12's version, and the last 18 and 20. Their sockets and HTTP differ from the pinned Node's. */
const olderNodes = ['18.13', '18', '20']
const largeMib = 1024
/** For one check. A busy machine takes a part of it. */
const limitMs = 120_000
/** Enough to fill all windows many times. */
const smallerMib = 128

const stand = await RelayStand.open()
const services = await Promise.all([startNginx(), startEcho(), startEvents()])
try {
  const [nginx, echo, events] = services
  const [files, sockets, feed] = [
    await stand.makeIsland(),
    await stand.makeIsland(),
    await stand.makeIsland(),
  ]
  const checkAll = async (node: string, sizeMib: number) => {
    const agents = await Promise.all([
      stand.runAgent(files, { node, args: ['--to', nginx.url] }),
      stand.runAgent(sockets, { node, args: ['--to', echo.url] }),
      stand.runAgent(feed, { node, args: ['--to', events.url] }),
    ])
    await within(limitMs, 'files', checkFiles(stand, files))
    await within(limitMs, 'a large file', checkLargeFile(stand, files, nginx, sizeMib))
    await within(limitMs, 'WebSockets', checkWebSockets(stand, sockets, echo))
    await within(limitMs, 'events', checkEvents(stand, feed, events))
    await within(limitMs, 'git', checkGit(stand, files, nginx))
    await Promise.all(agents.map((agent) => agent.kill('SIGTERM')))
  }
  await checkAll(process.execPath, largeMib)
  await within(limitMs, 'Vite', checkVite())
  await within(limitMs, 'sshd', checkSshd())
  for (const version of olderNodes) {
    console.log(`  with the agent on Node ${version}:`)
    await checkAll(otherNode(version), smallerMib)
  }
} finally {
  for (const service of services) await service.stop()
  await stand.close()
}
