import type { DirectoryEntry } from '@astropelago/contract/neighbour-directory'
import type { NeighbourDevice, NeighbourIsland } from '@astropelago/contract/neighbours'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { inTime } from '../../test/in-time.ts'
import { createOperatorApp } from '../../test/operator-app.ts'
import { propertyRuns } from '../../test/property-runs.ts'
import {
  deviceEntry,
  islandEntry,
  playInstallation,
  removal,
} from './conformance/played-installation.ts'

const id = fc.constantFrom('a', 'b', 'c', 'd')
const entry: fc.Arbitrary<DirectoryEntry> = fc.oneof(
  fc.record({ id, label: fc.constantFrom('Buoy', 'Beacon') }).map(deviceEntry),
  fc
    .record({ id, isOpen: fc.boolean() })
    .map((of) => islandEntry({ ...of, slug: `isle-${of.id}` })),
  fc.tuple(fc.constantFrom('device', 'island'), id).map(([kind, which]) => removal(kind, which)),
)

/** Without what we add to it. */
function asShared({ id: full, ...rest }: NeighbourDevice | NeighbourIsland): object {
  const { neighbour: _, url: __, ...of } = { neighbour: '', url: '', ...rest }
  return { id: full.split(':')[1], ...of }
}

/** What the neighbour does, the network, and operators. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('change'), entries: fc.array(entry) }) },
  fc.record({ act: fc.constant('change unseen'), entries: fc.array(entry) }),
  fc.record({
    act: fc.constant('hide'),
    subject: fc.record({ kind: fc.constantFrom('device', 'island'), id }),
    isHidden: fc.boolean(),
  }),
  fc.constantFrom(
    { act: 'drop' } as const,
    { act: 'begin anew' } as const,
    { act: 'break a rule' } as const,
    { act: 'hold' } as const,
    { act: 'resume' } as const,
    { act: 'wait' } as const,
  ),
)

test('[F21] S74 what is shown is what the neighbour shares, whatever happens in between', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 25 }), async (steps) => {
      // The clock of the test goes by itself and is moved to have lists at once.
      const begun = performance.now()
      let movedMs = 0
      const now = () => Math.floor(Date.UTC(2026, 0, 1) + movedMs + performance.now() - begun)
      const clock = { now, move: (ms: number) => void (movedMs += ms) }
      const home = await createOperatorApp({ config: { allowsPrivateTargets: true }, clock })
      const { operator, inject } = home
      const far = await playInstallation(now)
      onTestFinished(far.close)
      const url = '/api/operator/neighbours'
      const payload = { address: far.address, key: far.key() }
      const made = await operator.inject({ method: 'POST', url, payload })
      const own = `${url}/${made.json().id}`
      const change = (state: string) =>
        operator.inject({ method: 'PATCH', url: own, payload: { state } })
      const setHidden = (subject: object, isHidden: boolean) => {
        const how = isHidden
          ? ({ method: 'PUT', url: `${own}/hidden` } as const)
          : ({ method: 'POST', url: `${own}/shown` } as const)
        return operator.inject({ ...how, payload: subject })
      }
      const hidden = new Set<string>()

      for (const one of steps) {
        if (one.act === 'change') far.change(...one.entries)
        else if (one.act === 'change unseen') {
          far.drop()
          far.change(...one.entries)
        } else if (one.act === 'drop') far.drop()
        else if (one.act === 'begin anew') {
          far.state.epoch += 1
          far.state.number = 0
          far.drop()
        } else if (one.act === 'break a rule') far.send(far.statement('alive', '[]', { at: 9e14 }))
        else if (one.act === 'hold') await change('held')
        else if (one.act === 'resume') await change('following')
        else if (one.act === 'wait') await new Promise((done) => setTimeout(done, 100))
        else {
          const { subject, isHidden } = one
          const { statusCode } = await setHidden(subject, isHidden)
          // It may not be here yet.
          if (statusCode === 404) continue
          if (isHidden) hidden.add(`${subject.kind} ${subject.id}`)
          else hidden.delete(`${subject.kind} ${subject.id}`)
        }
      }

      const resume = async () => {
        const { neighbours } = (await operator.inject({ url })).json()
        if (neighbours[0]?.state !== 'following') await change('following')
        // Lost connections are due again once time has passed and an operator changes something.
        clock.move(1000)
        await setHidden({ kind: 'device', id: 'none' }, false)
      }
      const shared = far.state.entries
        .filter(({ type, payload: of }) => !hidden.has(`${type} ${of.id}`))
        .map(({ type, payload: of }) => JSON.stringify([type, of]))
        .toSorted()
      const shown = async () => {
        const devices = (await inject({ url: '/api/neighbours/devices' })).json().devices
        const islands = (await inject({ url: '/api/neighbours/islands' })).json().islands
        return [
          ...devices.map((device: NeighbourDevice) => ['device', asShared(device)]),
          ...islands.map((island: NeighbourIsland) => ['island', asShared(island)]),
        ]
          .map((of) => JSON.stringify(of))
          .toSorted()
      }
      await vi.waitFor(async () => {
        // What breaks a rule may still be on its way.
        await resume()
        expect(await shown()).toEqual(shared)
      }, inTime)
      await home.app.close()
      await far.close()
    }),
    { numRuns: propertyRuns(2), endOnFailure: true },
  )
})
