import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force'

// 300 islands with 900 routes take 0.4 s to lay out: no frame may wait for that.

export interface ToLayoutWorker {
  readonly count: number
  /** Places of islands, from one to another. */
  readonly routes: readonly (readonly [from: number, to: number])[]
  /** Whether the way there is shown, and not where it ends alone. */
  readonly isAnimated: boolean
}

export interface FromLayoutWorker {
  /** x and y of each island, around 0. */
  readonly positions: Float32Array<ArrayBuffer>
  readonly isSettled: boolean
}

const frameMs = 16
/** How much of a frame is spent before the positions are told. */
const stepMs = 12

globalThis.addEventListener('message', ({ data }: MessageEvent<ToLayoutWorker>) => layOut(data))

function layOut({ count, routes, isAnimated }: ToLayoutWorker): void {
  const islands = Array.from({ length: count }, (): SimulationNodeDatum => ({}))
  const reached = new Set(routes.flat())
  const simulation = forceSimulation(islands)
    // A wide oval, as screens are. Islands that no route reaches are pulled nearer by nothing else: left far
    // out they would make all the others small.
    .force(
      'x',
      forceX(0).strength((_, index) => (reached.has(index) ? 0.035 : 0.12)),
    )
    .force(
      'y',
      forceY(0).strength((_, index) => (reached.has(index) ? 0.09 : 0.25)),
    )
    .force('apart', forceManyBody().strength(-150).distanceMax(480))
    .force(
      'routes',
      forceLink(routes.map(([source, target]) => ({ source, target })))
        .distance(80)
        .strength(0.25),
    )
    .force('own room', forceCollide(24))
    .stop()

  const budgetMs = isAnimated ? stepMs : Infinity
  const isSettled = () => simulation.alpha() < simulation.alphaMin()
  const step = () => {
    const startMs = performance.now()
    do simulation.tick()
    while (!isSettled() && performance.now() - startMs < budgetMs)
    tell({ positions: positionsOf(islands), isSettled: isSettled() })
    if (!isSettled()) setTimeout(step, Math.max(0, frameMs - (performance.now() - startMs)))
  }
  step()
}

function positionsOf(islands: readonly SimulationNodeDatum[]): Float32Array<ArrayBuffer> {
  const positions = new Float32Array(2 * islands.length)
  for (const [index, { x = 0, y = 0 }] of islands.entries()) {
    positions[2 * index] = x
    positions[2 * index + 1] = y
  }
  return positions
}

function tell(message: FromLayoutWorker): void {
  globalThis.postMessage(message, { transfer: [message.positions.buffer] })
}
