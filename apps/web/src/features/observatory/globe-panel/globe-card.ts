import type { Globe } from '../globe/globe.ts'
import { summarizeNode } from '../nodes/node-name.ts'
import type { NodeStore } from '../nodes/node-store.ts'
import type { PanelState } from './panel-state.ts'

/** A mouse that crosses a hundred nodes opens no card, and asks the server nothing. */
const dwellMs = 180

/** Opens and closes the card at a node. */
export interface GlobeCard {
  /** The node that the mouse or the keyboard is on, if any: its card opens when it stays there. */
  readonly pointAt: (index: number | undefined) => void
  /** Opens it at once, to be read and pressed: by touch, which points at nothing. */
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
      // What was opened by touch stays until something is pressed.
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
