import { setInterval as every } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { playFollower } from '../../apps/server/src/features/neighbours/conformance/play-follower.ts'
import {
  deviceEntry,
  islandEntry,
  playInstallation,
} from '../../apps/server/src/features/neighbours/conformance/played-installation.ts'

/**
 * Plays either side of docs/neighbours.md, for whoever writes software that joins.
 *
 *     node scripts/neighbours/conformance.ts follow https://sky.example
 *     node scripts/neighbours/conformance.ts serve --port 4800 --devices 1000 --changes 10
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    port: { type: 'string', default: '0' },
    devices: { type: 'string', default: '10' },
    islands: { type: 'string', default: '10' },
    /** In a second. */
    changes: { type: 'string', default: '1' },
    /** In a minute, as no installation begins anew. */
    snapshots: { type: 'string', default: '0' },
  },
})
const [side, address] = positionals

if (side === 'follow' && address !== undefined) {
  let faults = 0
  for await (const { rule, what, fault } of playFollower(address)) {
    console.log(`${fault === undefined ? 'holds' : 'FAILS'}  [${rule}] ${what}`)
    if (fault === undefined) continue
    faults += 1
    console.log(`       ${fault}`)
  }
  process.exitCode = faults === 0 ? 0 : 1
} else if (side === 'serve') await serve()
else {
  console.error('Say “follow” and an address, or “serve”.')
  process.exitCode = 2
}

function device(at: number, status: 'online' | 'offline') {
  return deviceEntry({
    id: `device-${at}`,
    label: `Buoy ${at}`,
    lat: ((at * 37) % 160) - 80,
    lon: ((at * 101) % 360) - 180,
    status,
  })
}

async function serve(): Promise<void> {
  const played = await playInstallation(Date.now, Number(values.port))
  const devices = Number(values.devices)
  played.state.entries = [
    ...Array.from({ length: Number(values.islands) }, (_, at) =>
      islandEntry({ id: `island-${at}`, slug: `faraway-${at}`, name: `Faraway ${at}` }),
    ),
    ...Array.from({ length: devices }, (_, at) => device(at, 'online')),
  ]
  console.log(`An installation is ready at ${played.address}. Its key is ${played.key()}.`)
  const perTurn = Math.ceil(Number(values.changes) / 10)
  let turn = 0
  for await (const _ of every(100)) {
    turn += 1
    const snapshots = Number(values.snapshots)
    if (snapshots > 0 && turn % Math.round(600 / snapshots) === 0) {
      played.send(...played.pages(played.state.entries))
    }
    if (turn % 100 === 0) played.send(played.statement('alive', '[]'))
    const isTurn = Number(values.changes) > 0 && (perTurn > 1 || turn % 10 === 0)
    if (!isTurn || devices === 0) continue
    const flips = Array.from({ length: perTurn }, (__, at) =>
      device((turn * perTurn + at) % devices, turn % 2 === 0 ? 'online' : 'offline'),
    )
    played.flip(flips)
  }
}
