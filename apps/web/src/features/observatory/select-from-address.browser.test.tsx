import { expect, test } from 'vitest'
import { openPart } from '../../test/open-screen.tsx'
import { statusCodes } from './nodes/node-columns.ts'
import { createNodeStore, type NodeStore } from './nodes/node-store.ts'
import { nodesAt } from './nodes/testing/nodes-at.ts'
import { useDeviceOfAddress } from './select-from-address.ts'
import { createSelection, type Selection, type Sight } from './selection.ts'

function Page({ store, selection }: { store: NodeStore; selection: Selection }) {
  useDeviceOfAddress(store, selection)
  return null
}

test('the device in the address is selected once the list has loaded; a globe that loads later turns to it too', async () => {
  const store = createNodeStore()
  const selection = createSelection()
  await openPart(<Page store={store} selection={selection} />, {
    path: '/observatory?device=node-1',
  })
  expect(selection.selectedId).toBeUndefined()
  const nodes = nodesAt([
    { latDeg: 1, lonDeg: 2, status: statusCodes.online },
    { latDeg: 48.5, lonDeg: 16.5, status: statusCodes.online },
  ])
  store.replace(nodes)
  expect(selection.selectedId).toBe('node-1')
  const sights: Sight[] = []
  selection.onSight((sight) => sights.push(sight))
  expect(sights).toEqual([{ latDeg: 48.5, lonDeg: 16.5, spanDeg: 60 }])

  selection.select('node-0')
  store.replace(nodes)
  expect(selection.selectedId, 'what was chosen since stays').toBe('node-0')
})
