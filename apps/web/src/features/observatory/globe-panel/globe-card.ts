import type { Globe } from '../globe/globe.ts'
import { summarizeNode } from '../nodes/node-name.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import type { PanelState } from './panel-state.ts'

/** Delay, so that a mouse that crosses a hundred nodes opens no cards and sends no requests. */
const dwellMs = 180

export type GlobeCard = ReturnType<typeof createGlobeCard>

export function createGlobeCard(
  globe: Pick<Globe, 'project'>,
  store: NodeStore,
  state: PanelState,
) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let pointed: number | undefined

  const show = (index: number, isOpened: boolean) => {
    const { id, latDeg, lonDeg } = summarizeNode(store.columns, index)
    const point = globe.project({ latDeg, lonDeg })
    if (point !== undefined) state.change({ card: { id, isOpened, ...point } })
  }
  const close = () => {
    clearTimeout(timer)
    pointed = undefined
    state.change({ card: undefined })
  }

  return {
    /** The card opens if the node under the mouse or the keyboard focus stays the same for a while. */
    pointAt(index: number | undefined) {
      if (index === pointed) return
      // A card opened by touch stays until the next press.
      if (index === undefined && state.read().card?.isOpened) return
      close()
      if (index === undefined) return
      pointed = index
      timer = setTimeout(() => show(index, false), dwellMs)
    },
    /** Opens the card with its buttons at once, for touch, which can't hover. */
    open(index: number) {
      close()
      show(index, true)
    },
    close,
  }
}
