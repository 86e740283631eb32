import type { Globe } from '../globe/globe.ts'
import { summarizeNode } from '../nodes/node-name.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import type { PanelState } from './panel-state.ts'

/** Delay, so that a mouse that crosses a hundred nodes opens no cards and sends no requests. */
const dwellMs = 180

/** Opens and closes the card at a node. */
export interface GlobeCard {
  /**
   * The node under the mouse or the keyboard focus, if any. Its card opens if this does not change for a
   * while.
   */
  readonly pointAt: (index: number | undefined) => void
  /** Opens the card with its buttons at once, for touch, which can't hover. */
  readonly open: (index: number) => void
  readonly close: () => void
}

export function createGlobeCard(
  globe: Pick<Globe, 'project'>,
  store: NodeStore,
  state: PanelState,
): GlobeCard {
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
    pointAt(index) {
      if (index === pointed) return
      // A card opened by touch stays until the next press.
      if (index === undefined && state.read().card?.isOpened) return
      close()
      if (index === undefined) return
      pointed = index
      timer = setTimeout(() => show(index, false), dwellMs)
    },
    open(index) {
      close()
      show(index, true)
    },
    close,
  }
}
