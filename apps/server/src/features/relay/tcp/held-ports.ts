import { KeyedQueue } from '../../../keyed-queue.ts'
import type { HeldPort, PortRange, PortsStore } from './ports-store.ts'

export type HeldPorts = ReturnType<typeof createHeldPorts>

export function createHeldPorts({
  store,
  range,
  onChange,
}: {
  readonly store: Pick<PortsStore, 'list' | 'find'>
  /** Ports outside it are no longer given out, and are ignored. */
  readonly range: PortRange
  readonly onChange: () => void
}) {
  const byIsland = new Map<number, number>()
  const byPort = new Map<number, number>()

  const set = ({ islandKey, port }: HeldPort) => {
    if (port < range.first || port > range.last) return
    byIsland.set(islandKey, port)
    byPort.set(port, islandKey)
    onChange()
  }
  const forget = (islandKey: number) => {
    const port = byIsland.get(islandKey)
    if (port === undefined) return
    byIsland.delete(islandKey)
    // Another island may have taken it meanwhile.
    if (byPort.get(port) === islandKey) byPort.delete(port)
    onChange()
  }
  /** Reads islands' ports one after the other, so that the last result is the current one. */
  const due = new KeyedQueue<number>({
    run: async (islandKeys) => {
      for (const islandKey of islandKeys) {
        const port = await store.find(islandKey)
        if (port === byIsland.get(islandKey)) continue
        forget(islandKey)
        if (port !== undefined) set({ islandKey, port })
      }
    },
    keepsFailed: true,
  })

  return {
    portOf: (islandKey: number): number | undefined => byIsland.get(islandKey),
    islandAt: (port: number): number | undefined => byPort.get(port),
    all: (): ReadonlySet<number> => new Set(byPort.keys()),
    load: async (): Promise<void> => {
      for (const held of await store.list()) set(held)
    },
    /** @throws StorageUnavailable, after which `readFailed` tries once more */
    readAgain: (islandKey: number): Promise<void> => due.add(islandKey),
    /** @throws StorageUnavailable */
    readFailed: (): Promise<void> => due.runFailed(),
    forget,
  }
}
